// Operations of Discord's gateway, which the field `op` names.
export const operations = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAcknowledged: 11,
}
