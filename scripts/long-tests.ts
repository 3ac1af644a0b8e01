// Long tests: most look for rare schedules, and kill, pause and replace servers and databases under load.
// They need two thirds of the time of all tests. A plain run leaves them out and lists them;
// `npm run test:all` and a run of named files include them, and `.ci/run` most of them.

/** Files that a plain run leaves out, with the reason. Single tests use `skipUnlessLong`. */
export const longTests: Record<string, string> = {
  agents: 'runs agents in servers',
  atomicity: 'fails each call of each operation to the database in turn',
  backlog: 'thousands of pending deliveries',
  'bad-bots': 'runs bots that fail in many ways',
  'command-line': 'starts a process for each command',
  credentials: 'tries each kind of credential',
  'dashboard/account': 'changes passwords and second factors in a browser',
  'dashboard/archives': 'writes archives in a browser',
  'dashboard/hostile-content': 'shows hostile content in a browser',
  'dashboard/inbox': 'answers in several browsers',
  'dashboard/interruptions': 'kills the server under open pages',
  'dashboard/knowledge': 'uploads many files in a browser',
  'dashboard/tables': 'edits and imports tables in a browser',
  'dashboard/usage': 'shows usage and limits in a browser',
  'dashboard/users': 'shows users in a browser',
  deployments: 'deploys bots to servers that stop',
  drain: 'stops servers under load',
  'every-page': 'opens each page with each role',
  'failed-credentials': 'sends many wrong credentials',
  failover: 'kills and blocks servers of one database',
  'foreign-ids': 'tries ids of other tenants in each operation',
  fuzz: 'sends random input to each operation',
  'generated-clients': 'generates clients in Python and Go, and compiles them',
  'handoffs-crash': 'kills servers during handoffs',
  'hosted-integrations': 'runs hosted integrations',
  'hostile-bots': 'runs hostile bots',
  'hostile-code': 'runs hostile code in each isolation tier',
  'idempotency-contract': 'repeats each operation with its key, at once and later',
  'idempotency-crash': 'kills a server between requests and their repetitions',
  'listing-plans': 'explains each listing on a million rows',
  'mass-assignment': 'sends foreign fields to each operation',
  'migrate-cloud-long': 'moves 100,000 messages through failures and kills',
  'official-chat': 'runs the tests of the official chat client',
  'official-cli': 'runs the official command line',
  'official-webchat': 'runs the official webchat in a browser',
  'page-statements': 'opens each page on an empty and on a full bot',
  'schedules-crash': 'kills servers during schedules',
  'start-retries': 'kills the database while a server starts',
  'states-two-servers': 'kills servers during the expiry of states',
  streams: 'opens thousands of streams',
  templates: 'creates, tests and deploys a project of each template',
  tutorials: 'follows each tutorial, and waits for a schedule',
  'two-servers': 'kills, stops and pauses servers of one database',
  'websites-two-servers': 'runs two servers of one database',
  'workflow-crash': 'kills a server during workflows',
  'workspace-removal': 'removes workspaces with much data',
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
