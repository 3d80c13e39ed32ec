import Domain
import Texts
import Web

extension EnrolmentGuide {
  /// Step 1: the sensor given in advance once it is heard, else the one the person picks.
  func chosenSensor(_ view: API.Enrolment) async throws -> API.StepInput? {
    if answers.isComplete, view.complaint != nil { return nil }
    var heard: [API.NearbySensor] = []
    for try await event in try await gateway.events("/nearby?seconds=30") {
      guard event.name == "nearby" else { continue }
      let list: API.Nearby = try Gateway.read(event.data)
      if let fault = list.fault { throw Failure(fault) }
      heard = list.sensors
      let left = list.secondsLeft ?? 0
      terminal.progress(
        Phrase(
          en: "\(left) s left, \(heard.count) heard — press the sensor's button briefly",
          fr: "encore \(left) s, entendus : \(heard.count) — appuyez brièvement sur le bouton du "
            + "capteur"))
      if let wanted = wanted(among: heard) {
        terminal.endProgress()
        return API.StepInput(sensor: wanted.chip.text, address: wanted.address.text)
      }
      if answers.sensor == nil, !answers.isComplete, left <= 22, !heard.isEmpty { break }
    }
    terminal.endProgress()
    if answers.sensor != nil || answers.isComplete {
      // The daemon knows why: out of range, or online and therefore silent.
      return API.StepInput(sensor: answers.sensor?.text, address: answers.address?.text)
    }
    return await pick(among: heard)
  }

  private func wanted(among heard: [API.NearbySensor]) -> API.NearbySensor? {
    if let address = answers.address { return heard.first { $0.address == address } }
    if answers.takesAny { return heard.first { $0.knownAs == nil } }
    guard let chip = answers.sensor else { return nil }
    let matches = heard.filter { $0.chip == chip }
    return matches.count == 1 ? matches.first : nil
  }

  private func pick(among heard: [API.NearbySensor]) async -> API.StepInput? {
    ScanCommand.show(heard, on: terminal)
    guard !heard.isEmpty else { return nil }
    if heard.count == 1, let only = heard.first {
      guard
        await terminal.confirms(
          Phrase(en: "Enrol \(only.chip)? [y/N]", fr: "Enrôler \(only.chip) ? [o/N]"))
      else { return nil }
      return API.StepInput(sensor: only.chip.text, address: only.address.text)
    }
    let question = Phrase(
      en: "Which one (chip id or address)?", fr: "Lequel (identifiant ou adresse) ?")
    while let word = await terminal.ask(question)?.trimmingWhitespace().uppercased(), !word.isEmpty
    {
      let matches = heard.filter { $0.chip.text == word || $0.address.text == word }
      if matches.count == 1, let match = matches.first {
        return API.StepInput(sensor: match.chip.text, address: match.address.text)
      }
      terminal.note(
        Phrase(en: "Not one of those heard.", fr: "Ce n’est pas l’un de ceux entendus."))
    }
    return nil
  }

  /// Steps 2 and 3: name and key, from what was given, what is saved, or the person.
  func wifi(_ tried: inout Tried) async throws -> API.StepInput? {
    if !tried.wifi, let ssid = answers.ssid, answers.key != nil || answers.isComplete {
      tried.ssid = ssid
      return API.StepInput(
        ssid: ssid, key: answers.key?.reveal(), remember: answers.remember)
    }
    let saved: [API.Network] = try await gateway.get("/networks")
    let offered = tried.ssid ?? answers.ssid ?? saved.first?.ssid
    // One given on the command line is asked for only when it has not served.
    var known = tried.wifi ? nil : answers.ssid
    while true {
      var asked = known
      if asked == nil { asked = await askNetwork(offering: offered) }
      guard let ssid = asked else { return nil }
      let isSaved = saved.contains { $0.ssid == ssid }
      guard let key = await askKey(of: ssid, isSaved: isSaved) else { return nil }
      tried.ssid = ssid
      if key.isEmpty, isSaved { return API.StepInput(ssid: ssid, remember: answers.remember) }
      do {
        _ = try WiFiCredentials(ssid: ssid, key: key)
        return API.StepInput(ssid: ssid, key: key.reveal(), remember: answers.remember)
      } catch {
        terminal.complain(error.phrase, code: error.code, hint: error.code.words.cause)
        known = error.field == .key ? ssid : nil
      }
    }
  }

  private func askNetwork(offering offered: String?) async -> String? {
    let suffix = offered.map { " [\($0.visible)]" } ?? ""
    let question = Phrase(en: "Wi-Fi name\(suffix):", fr: "Nom du Wi-Fi\(suffix) :")
    while let answer = await terminal.ask(question) {
      if !answer.isEmpty { return answer }
      if let offered { return offered }
    }
    return nil
  }

  private func askKey(of ssid: String, isSaved: Bool) async -> Secret? {
    let name = ssid.visible
    return await terminal.askSecret(
      isSaved
        ? Phrase(
          en: "Key of \(name) (empty: the saved one):",
          fr: "Clé de \(name) (vide : celle enregistrée) :")
        : Phrase(en: "Key of \(name):", fr: "Clé de \(name) :"))
  }

  /// Step 5.
  func name(_ view: API.Enrolment) async -> String? {
    if let name = answers.name, view.complaint == nil { return name }
    if answers.isComplete { return nil }
    while let text = await terminal.ask(
      Phrase(en: "Name of the sensor:", fr: "Nom du capteur :"))
    {
      do throws(SensorName.Invalid) {
        return try SensorName(text).text
      } catch {
        terminal.complain(
          error.phrase, code: .invalidSensorName, hint: Code.invalidSensorName.words.cause)
      }
    }
    return nil
  }
}
