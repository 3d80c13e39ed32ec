/// How long each part of an enrolment may take. All can be configured; these are the defaults.
package struct EnrolmentDeadlines: Hashable, Sendable {
  /// One scan, 30 s.
  package var scan: Duration
  package var link: LinkDeadlines
  package var wifi: WiFiVerdict.Limits
  /// From the fourth acknowledged MQTT value to the first reading, 60 s.
  package var firstReading: Duration
  /// How long a sensor advertises after its button was pressed, 5 min.
  package var window: Duration
  /// How long an open link waits for a person before it is closed, 10 min.
  package var attention: Duration
  /// How long an enrolment without a link waits for a person before it ends, 24 h.
  package var parked: Duration
  /// On a site's own broker, and after a restart, a reading counts when it comes this long after the
  /// fourth acknowledged MQTT value: the session before it is then gone for certain. 5 s.
  package var settling: Duration
  /// A sensor heard over MQTT within this time is online, 60 s.
  package var online: Duration
  /// How long the link is left to the sensor after the fourth value, 2 s.
  package var farewell: Duration

  package init(
    scan: Duration = .seconds(30), link: LinkDeadlines = LinkDeadlines(),
    wifi: WiFiVerdict.Limits = WiFiVerdict.Limits(), firstReading: Duration = .seconds(60),
    window: Duration = .seconds(300), attention: Duration = .seconds(600),
    parked: Duration = .seconds(86_400), settling: Duration = .seconds(5),
    online: Duration = .seconds(60), farewell: Duration = .seconds(2)
  ) {
    self.scan = scan
    self.link = link
    self.wifi = wifi
    self.firstReading = firstReading
    self.window = window
    self.attention = attention
    self.parked = parked
    self.settling = settling
    self.online = online
    self.farewell = farewell
  }
}
