// Tests of rare schedules: servers and databases are killed, paused and replaced under load, so that races
// show. They need a third of the time of all tests. A plain run leaves them out and lists them; `.ci/run`,
// `npm run test:all` and a run of named files include them.

/** Files that a plain run leaves out, with the reason. Single tests use `skipUnlessLong`. */
export const longTests: Record<string, string> = {
  backlog: 'thousands of pending deliveries',
  failover: 'kills and blocks servers of one database',
  'handoffs-crash': 'kills servers during handoffs',
  'idempotency-crash': 'kills a server between requests and their repetitions',
  'schedules-crash': 'kills servers during schedules',
  'start-retries': 'kills the database while a server starts',
  'states-two-servers': 'kills servers during the expiry of states',
  'two-servers': 'kills, stops and pauses servers of one database',
  'workflow-crash': 'kills a server during workflows',
}

/** Whether the arguments of vitest name a file or a folder: it then runs completely. */
const isNamed = (args: string[]) =>
  args.some(
    (arg, i) =>
      !arg.startsWith('-') &&
      args[i - 1] !== '--exclude' &&
      (arg.includes('/') || arg.includes('.test') || Object.hasOwn(longTests, arg)),
  )

/** Sets the variable that single tests read, and returns whether long tests run. */
export function includeLongTests(args: string[]): boolean {
  if (isNamed(args)) process.env.BOTSTEAD_TEST_LONG = '1'
  return process.env.BOTSTEAD_TEST_LONG === '1'
}

export const leftOutLines = () =>
  Object.entries(longTests).map(
    ([name, reason]) => `${name}.test.ts (long: ${reason}; npm run test:all includes it)`,
  )
