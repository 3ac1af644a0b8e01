/** Of one request. */
export const perRequest = { rounds: 30, tokens: 600_000, dollars: 2 }
/** Of all requests of a bot on one day, in UTC. */
export const perDay = { tokens: 3_000_000, dollars: 10 }
