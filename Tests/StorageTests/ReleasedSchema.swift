/// The schemas as they were released, kept apart from the sources: never edited, so that a test can
/// still make a file of each version.
enum ReleasedSchema {
  static let version1 = """
    CREATE TABLE sensor (
      -- Which history is the sensor's: a purged sensor that returns starts a new one.
      series INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 12 AND id NOT GLOB '*[^0-9A-F]*'),
      kind TEXT NOT NULL,
      name TEXT NOT NULL CHECK (name <> ''),
      enrolled_at INTEGER NOT NULL,
      calibration_offset REAL,
      account TEXT,
      -- Set while the sensor is removed and its history kept, hidden.
      removed_at INTEGER
    ) STRICT;

    -- Histories whose rows are still to be deleted, in small batches.
    CREATE TABLE purged_series (series INTEGER PRIMARY KEY) STRICT;

    CREATE TABLE sensor_state (
      sensor TEXT PRIMARY KEY REFERENCES sensor (id) ON DELETE CASCADE,
      last_seen INTEGER,
      boot INTEGER NOT NULL CHECK (boot >= 0),
      uptime INTEGER,
      is_online INTEGER CHECK (is_online IN (0, 1)),
      availability_at INTEGER,
      firmware TEXT,
      address TEXT,
      rssi INTEGER,
      retained_status BLOB,
      retained_at INTEGER,
      refused_payloads INTEGER NOT NULL CHECK (refused_payloads >= 0)
    ) STRICT, WITHOUT ROWID;

    -- Keyed by time first, so that a batch touches the last page only, whatever the sensors.
    CREATE TABLE reading (
      at INTEGER NOT NULL,
      series INTEGER NOT NULL,
      -- Tells readings of one sensor and one millisecond apart.
      seq INTEGER NOT NULL CHECK (seq >= 0),
      is_dated INTEGER NOT NULL CHECK (is_dated IN (0, 1)),
      boot INTEGER NOT NULL,
      uptime INTEGER NOT NULL,
      content_hash INTEGER NOT NULL,
      sound_pct INTEGER NOT NULL CHECK (sound_pct BETWEEN 0 AND 100),
      sound_avg INTEGER,
      sound_min INTEGER,
      sound_max INTEGER,
      dbfs_avg INTEGER,
      dbfs_ewma INTEGER,
      rssi INTEGER,
      PRIMARY KEY (at, series, seq)
    ) STRICT, WITHOUT ROWID;

    -- Each sensor's newest reading: known without a search, and after its raw row is gone.
    CREATE TABLE latest_reading (
      series INTEGER PRIMARY KEY REFERENCES sensor (series) ON DELETE CASCADE,
      at INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      is_dated INTEGER NOT NULL,
      boot INTEGER NOT NULL,
      uptime INTEGER NOT NULL,
      content_hash INTEGER NOT NULL,
      sound_pct INTEGER NOT NULL,
      sound_avg INTEGER,
      sound_min INTEGER,
      sound_max INTEGER,
      dbfs_avg INTEGER,
      dbfs_ewma INTEGER,
      rssi INTEGER
    ) STRICT;

    CREATE TABLE rule (
      id TEXT PRIMARY KEY,
      sensor TEXT NOT NULL REFERENCES sensor (id) ON DELETE CASCADE,
      template TEXT NOT NULL,
      field TEXT NOT NULL CHECK (field IN ('soundPct', 'soundMax', 'dbfsAvg', 'level')),
      comparison TEXT NOT NULL CHECK (comparison IN ('>', '>=', '<', '<=', '==', '!=')),
      threshold REAL NOT NULL,
      cooldown INTEGER NOT NULL CHECK (cooldown BETWEEN 0 AND 3600),
      label TEXT NOT NULL,
      severity TEXT NOT NULL CHECK (severity IN ('warn', 'high', 'critical')),
      is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX rule_sensor ON rule (sensor);

    CREATE TABLE rule_state (
      rule TEXT PRIMARY KEY REFERENCES rule (id) ON DELETE CASCADE,
      last_fired INTEGER,
      is_told INTEGER NOT NULL CHECK (is_told IN (0, 1))
    ) STRICT, WITHOUT ROWID;

    -- An alert outlives its rule, and does not fail the batch of a sensor purged meanwhile:
    -- no foreign keys.
    CREATE TABLE alert (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('rule', 'backlog', 'undelivered', 'refused')),
      sensor TEXT,
      rule TEXT,
      severity TEXT NOT NULL CHECK (severity IN ('warn', 'high', 'critical')),
      state TEXT NOT NULL CHECK (state IN ('unread', 'read', 'expired')),
      at INTEGER NOT NULL,
      label TEXT NOT NULL,
      field TEXT,
      comparison TEXT,
      threshold REAL,
      value REAL,
      count INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX alert_at ON alert (at);
    CREATE INDEX alert_sensor ON alert (sensor, at);
    CREATE INDEX alert_unread ON alert (at) WHERE state = 'unread';

    CREATE TABLE outbox (
      id TEXT PRIMARY KEY,
      created_at INTEGER NOT NULL,
      body BLOB NOT NULL,
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      next_attempt INTEGER NOT NULL,
      -- Why the backend will not have it; NULL while it is still to be sent.
      parked_code TEXT,
      parked_detail TEXT,
      CHECK ((parked_code IS NULL) = (parked_detail IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_due ON outbox (next_attempt, created_at) WHERE parked_code IS NULL;
    CREATE INDEX outbox_age ON outbox (created_at) WHERE parked_code IS NULL;
    CREATE INDEX outbox_parked ON outbox (created_at) WHERE parked_code IS NOT NULL;

    CREATE TABLE enrolment (
      id TEXT PRIMARY KEY,
      operator TEXT NOT NULL,
      sensor TEXT CHECK (length(sensor) = 12 AND sensor NOT GLOB '*[^0-9A-F]*'),
      address TEXT,
      step INTEGER NOT NULL CHECK (step BETWEEN 1 AND 5),
      is_completed INTEGER NOT NULL CHECK (is_completed IN (0, 1)),
      ended_reason TEXT,
      account TEXT,
      progress TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      CHECK (is_completed = 0 OR (step = 5 AND sensor IS NOT NULL AND ended_reason IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX enrolment_unfinished ON enrolment (sensor)
      WHERE is_completed = 0 AND ended_reason IS NULL;
    CREATE INDEX enrolment_operator ON enrolment (operator, created_at);
    CREATE INDEX enrolment_created ON enrolment (created_at);
    CREATE TRIGGER enrolment_completion BEFORE UPDATE ON enrolment
      WHEN OLD.is_completed = 1
      BEGIN SELECT RAISE (ABORT, 'a completed enrolment cannot be changed'); END;
    CREATE TRIGGER enrolment_order BEFORE UPDATE OF step ON enrolment
      WHEN NEW.step NOT IN (OLD.step, OLD.step + 1)
      BEGIN SELECT RAISE (ABORT, 'the steps of an enrolment are validated in order'); END;
    CREATE TRIGGER enrolment_start BEFORE INSERT ON enrolment
      WHEN NEW.step <> 1 OR NEW.is_completed = 1
      BEGIN SELECT RAISE (ABORT, 'an enrolment starts at step 1'); END;
    CREATE TRIGGER enrolment_kept BEFORE DELETE ON enrolment
      BEGIN SELECT RAISE (ABORT, 'an enrolment is kept'); END;

    CREATE TABLE audit (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      enrolment TEXT NOT NULL REFERENCES enrolment (id),
      at INTEGER NOT NULL,
      operator TEXT NOT NULL,
      from_state TEXT,
      to_state TEXT NOT NULL,
      why TEXT NOT NULL,
      step INTEGER NOT NULL CHECK (step BETWEEN 1 AND 5)
    ) STRICT;
    CREATE INDEX audit_enrolment ON audit (enrolment, seq);
    CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
      BEGIN SELECT RAISE (ABORT, 'the audit log is append-only'); END;
    CREATE TRIGGER audit_kept BEFORE DELETE ON audit
      BEGIN SELECT RAISE (ABORT, 'the audit log is append-only'); END;

    CREATE TABLE account (
      user TEXT PRIMARY KEY,
      sensor TEXT NOT NULL CHECK (length(sensor) = 12 AND sensor NOT GLOB '*[^0-9A-F]*'),
      number INTEGER NOT NULL CHECK (number >= 1),
      sealed_password BLOB,
      state TEXT NOT NULL CHECK (state IN ('opened', 'written', 'proven', 'removed')),
      created_at INTEGER NOT NULL,
      UNIQUE (sensor, number),
      CHECK ((state = 'removed') = (sealed_password IS NULL))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE network (
      ssid TEXT PRIMARY KEY CHECK (length(CAST(ssid AS BLOB)) BETWEEN 1 AND 32),
      sealed_key BLOB NOT NULL,
      last_used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE setting (
      key TEXT PRIMARY KEY,
      value ANY NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
