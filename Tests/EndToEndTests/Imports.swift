// What every test here starts and asks.
@_exported import EndToEndSupport
