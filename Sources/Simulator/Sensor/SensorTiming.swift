/// The firmware's timers (`docs/sensor-profile.md`, "Timers and limits"); the values marked
/// "chosen" lie within what the profile says of a delay that it does not fix.
package enum SensorTiming {
  package static let window = Duration.seconds(300)
  package static let coalescing = Duration.milliseconds(300)
  package static let releaseBeforeTLS = Duration.milliseconds(500)
  package static let switchBeforeLeaving = Duration.milliseconds(50)
  package static let switchBeforeJoining = Duration.milliseconds(200)
  package static let attemptDeadline = Duration.seconds(15)
  package static let wifiWatchdog = Duration.seconds(2)
  package static let taskWatchdog = Duration.seconds(30)
  package static let memoryRetry = Duration.seconds(3)
  package static let socketTimeout = Duration.seconds(3)
  package static let dialTimeout = Duration.seconds(10)
  package static let rebootCommand = Duration.milliseconds(200)
  package static let resetCommand = Duration.milliseconds(100)
  /// From the start of the failed attempt; the fifth failure in a row restarts the sensor.
  package static let retries: [Duration] = [
    .milliseconds(500), .seconds(1), .seconds(2), .seconds(4),
  ]
  package static let refusalsBeforeErasure = 3

  package static let shortPress = Duration.milliseconds(80)
  package static let longPress = Duration.seconds(5)
  package static let buttonDeaf = Duration.milliseconds(1500)
  package static let powerUpLook = Duration.milliseconds(500)
  package static let powerUpHold = Duration.seconds(2)
  package static let resetFlicker = Duration.milliseconds(600)

  package static let period = Duration.seconds(10)
  package static let leastGap = Duration.seconds(1)
  package static let capWindow = Duration.seconds(60)
  package static let cap = 30

  /// Chosen: one pass of the main loop ("a few tens of milliseconds").
  package static let loopPass = Duration.milliseconds(20)
  /// Chosen: how often the level is looked at while connected.
  package static let sample = Duration.milliseconds(250)
  /// Chosen: beacons missed before the station gives up its access point.
  package static let beaconLoss = Duration.seconds(6)
}
