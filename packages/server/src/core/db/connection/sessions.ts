// The settings of sessions, by the kind of their statements.

/** Settings of PostgreSQL by name. */
export type SessionSettings = Record<string, string>

/** Returns the settings as an option of a connection. All sessions use UTC. */
export const toOptions = (session: SessionSettings): string =>
  Object.entries({ timezone: 'UTC', ...session })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** Returns commands that set them until the transaction ends. */
export const toLocalSettings = (session: SessionSettings): string =>
  Object.entries(session)
    .map(([name, value]) => `set local ${name} = '${value}'; `)
    .join('')

/**
 * Generic plans are kept, and tables may be empty at planning time. So force index scans regardless
 * of statistics, and in index order: a planner that expects three rows where there are a hundred
 * thousand would fetch and sort them.
 */
export const hotSession: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
}

/**
 * For writes that a crash of the database may lose. A separate pool: to send this setting along with
 * each takes a quarter more of the server's CPU for a small one, and three quarters more of PostgreSQL's.
 */
export const lazySession: SessionSettings = { ...hotSession, synchronous_commit: 'off' }
export const lazyOptions = toOptions(lazySession)

/**
 * For transactions, which run both kinds of statement; searches by tag need bitmap scans. A frozen
 * process or a cut link must not hold its locks forever.
 */
export const transactionSettings: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  idle_in_transaction_session_timeout: '15s',
}

/** For reads, which run both kinds of statement too. */
export const replicaSession: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  default_transaction_read_only: 'on',
}

/** In milliseconds. */
export const findTimeoutMs = 10_000
/**
 * Disables parallel append: the order of rows depends on reading the parts of a union in sequence
 * (core/tables/rows/row-finder.ts).
 */
export const findSettings: SessionSettings = {
  statement_timeout: String(findTimeoutMs),
  transaction_read_only: 'on',
  work_mem: '64MB',
  jit: 'off',
  enable_parallel_append: 'off',
}
