// Long tests: most look for rare schedules, kill, pause and replace servers and databases, or drive a browser
// for minutes. A plain run leaves them out and lists them; `npm run test:all` and a run of named files
// include them. `.ci/run` runs one group after another, as long as it has time.

/** Files that a plain run leaves out, with the reason, by group. Single tests use `skipUnlessLong`. */
const groups: Record<string, Record<string, string>> = {
  delivery: {
    backlog: 'thousands of pending deliveries',
    'broadcasts-crash': 'kills servers during a broadcast',
    'channels-crash': 'kills a server at each step of a message',
    'commands-without-server': 'starts a process for each command',
    crash: 'kills servers and databases under load',
    drain: 'stops servers under load',
    'erasures-crash': 'kills a server during an erasure',
    failover: 'kills and blocks servers of one database',
    fencing: 'pauses a server that delivers',
    'handoffs-crash': 'kills servers during handoffs',
    'idempotency-crash': 'kills a server between requests and their repetitions',
    'idempotency-many': 'repeats many requests at once',
    'keyed-messages-crash': 'kills a server while messages are repeated',
    'outgoing-order': 'sends many answers through slow integrations',
    'repeated-messages': 'repeats messages through failures',
    'schedules-crash': 'kills servers during schedules',
    'two-servers': 'kills, stops and pauses servers of one database',
    'workflow-crash': 'kills a server during workflows',
  },
  database: {
    archives: 'writes and reads whole archives',
    deployments: 'deploys bots to servers that stop',
    embedded: 'starts, stops and repairs databases',
    'embedded-hangs': 'ends databases that hang',
    'embedded-upgrades': 'upgrades databases from an older PostgreSQL',
    'first-start': 'interrupts first starts',
    'listing-plans': 'explains each listing on a million rows',
    'message-search': 'searches many messages',
    moves: 'moves bots between servers',
    pgbouncer: 'runs servers behind PgBouncer',
    replica: 'starts a standby of the database',
    'several-hosts': 'starts two databases',
    'start-retries': 'kills the database while a server starts',
    'states-two-servers': 'kills servers during the expiry of states',
    transfers: 'moves much data between servers',
    'vector-index': 'searches many vectors',
    'workspace-removal': 'removes workspaces with much data',
  },
  security: {
    'access-matrix': 'tries each wrong credential in each operation',
    'bad-bots': 'runs bots that fail in many ways',
    credentials: 'tries each kind of credential',
    'failed-credentials': 'sends many wrong credentials',
    'foreign-ids': 'tries ids of other tenants in each operation',
    fuzz: 'sends random input to each operation',
    'hostile-bots': 'runs hostile bots',
    'hostile-code': 'runs hostile code in each isolation tier',
    'hostile-input': 'measures a server under inputs that take much computing',
    'http-oversized': 'sends bodies over each limit',
    'mass-assignment': 'sends foreign fields to each operation',
    poison: 'delivers messages that break their bot',
    'reverse-proxies': 'runs servers behind HAProxy, nginx and Caddy',
    'strict-limits': 'sends far more than the limits',
  },
  dashboard: {
    'dashboard/account': 'changes passwords and second factors in a browser',
    'dashboard/answers': 'mends answers in a browser',
    'dashboard/archives': 'writes archives in a browser',
    'dashboard/channels': 'connects channels in a browser',
    'dashboard/copilot': 'changes flows by a model in a browser',
    'dashboard/conversations': 'reads and answers conversations in a browser',
    'dashboard/deliveries': 'repeats deliveries in a browser',
    'dashboard/emulator': 'talks to bots beside each page',
    'dashboard/first-steps': 'follows the first steps in a browser',
    'dashboard/frame': 'opens the menu and dialogs of many pages',
    'dashboard/hostile-content': 'shows hostile content in a browser',
    'dashboard/inbox': 'answers in several browsers',
    'dashboard/integrations': 'installs integrations in a browser',
    'dashboard/interruptions': 'kills the server under open pages',
    'dashboard/knowledge': 'uploads many files in a browser',
    'dashboard/members': 'invites and limits members in a browser',
    'dashboard/page-loads': 'loads each page over a slow connection',
    'dashboard/privacy': 'exports and erases people in a browser',
    'dashboard/roles': 'answers and edits as each role in a browser',
    'dashboard/server-settings': 'changes settings of a server in a browser',
    'dashboard/session': 'ends sessions and connections in a browser',
    'dashboard/studio-crash': 'kills the server under two browsers that edit flows',
    'dashboard/studio-newcomers': 'makes a bot of flows as newcomers do',
    'dashboard/studio-speed': 'measures the page Flows with a large document',
    'dashboard/tables': 'edits and imports tables in a browser',
    'dashboard/tabs': 'opens many tabs of a browser',
    'dashboard/texts': 'translates bots in a browser',
    'dashboard/usage': 'shows usage and limits in a browser',
    'dashboard/users': 'shows users in a browser',
    'dashboard/versions': 'compares and deploys versions in a browser',
    'dashboard/wizards': 'makes dialogues from forms in a browser',
    'every-page': 'opens each page with each role',
  },
  channels: {
    'channels/api': 'runs all cases of the channel for apps',
    'channels/behind-wall': 'connects channels without connections from outside',
    'channels/discord': 'runs all cases of Discord',
    'channels/email': 'runs all cases of e-mail',
    'channels/googlechat': 'runs all cases of Google Chat',
    'channels/matrix': 'runs all cases of Matrix',
    'channels/messenger': 'runs all cases of Messenger and Instagram',
    'channels/slack': 'runs all cases of Slack',
    'channels/sms': 'runs all cases of SMS',
    'channels/teams': 'runs all cases of Microsoft Teams',
    'channels/twilio': 'runs all cases of SMS by Twilio',
  },
  clients: {
    agents: 'runs agents in servers',
    'chat-appearance': 'shows the chat in each appearance',
    'chat-firefox': 'opens the chat in Firefox',
    clone: 'starts and changes a copy of the clone',
    'command-line': 'starts a process for each command',
    'documents-run': 'runs the code blocks of the documentation',
    'flow-bots': 'starts a process for each command',
    'flow-models': 'calls models in flows',
    'generated-clients': 'generates clients in Python and Go, and compiles them',
    'hosted-integrations': 'runs hosted integrations',
    'hub-definitions': 'compiles the code that the official tools generate',
    inject: 'opens the official webchat in a browser',
    'kept-bots': 'replaces servers in a copy of the clone',
    'knowledge-checks': 'starts a process for each check',
    'live-chat-page': 'shows changes in several browsers',
    'local-models': 'runs models on the processor',
    'migrate-cloud': 'moves a workspace through failures',
    'migrate-cloud-long': 'moves 100,000 messages through failures and kills',
    'newer-cli': 'runs the newest official command line',
    'official-chat': 'runs the tests of the official chat client',
    'official-cli': 'runs the official command line',
    'official-webchat': 'runs the official webchat in a browser',
    'official/hub': 'builds integrations from their sources',
    'reference-examples':
      'sends each example of the API reference with curl, in JavaScript and Python',
    'script-warnings': 'starts a process for each command',
    templates: 'creates, tests and deploys a project of each template',
    tutorials: 'follows each tutorial, and waits for a schedule',
  },
  load: {
    'fan-out': 'sends to many listeners on several servers',
    operation: 'calls models that fail in many ways',
    remote: 'calls MCP servers that fail in many ways',
    'states-model': 'compares random states with a model',
    streams: 'opens thousands of streams',
    'trace-passed-on': 'starts servers with a collector of traces',
    'websites-two-servers': 'runs two servers of one database',
    'workflow-model': 'compares random workflows with a model',
  },
  release: {
    atomicity: 'fails each call of each operation to the database in turn',
    'documented-upgrade': 'installs an older package and upgrades its servers under load',
    'idempotency-contract': 'repeats each operation with its key, at once and later',
    'page-statements': 'opens each page on an empty and on a full bot',
  },
}

/** All files, with the reason. */
export const longTests: Record<string, string> = Object.assign(
  {},
  ...Object.values(groups),
)

/**
 * The files of the group that BOTSTEAD_TEST_LONG names, which are the only ones to run; null without a group.
 * Throws for an unknown group.
 */
export function chosenGroup(): string[] | null {
  const chosen = process.env.BOTSTEAD_TEST_LONG || '0'
  if (chosen === '0' || chosen === '1') return null
  if (!Object.hasOwn(groups, chosen))
    throw new Error(
      `BOTSTEAD_TEST_LONG must be 0, 1 or one of: ${Object.keys(groups).join(', ')}`,
    )
  return Object.keys(groups[chosen]!)
}

/** Whether the arguments of vitest name a file or a folder: it then runs completely. */
const isNamed = (args: string[]) =>
  args.some(
    (arg, i) =>
      !arg.startsWith('-') &&
      args[i - 1] !== '--exclude' &&
      (arg.includes('/') || arg.includes('.test') || Object.hasOwn(longTests, arg)),
  )

/**
 * Sets the variable that single tests read, and returns whether long tests run: BOTSTEAD_TEST_LONG is 1, the
 * name of a group, or 0, which leaves them out of a named folder, too.
 */
export function includeLongTests(args: string[]): boolean {
  if (isNamed(args)) process.env.BOTSTEAD_TEST_LONG ||= '1'
  return (process.env.BOTSTEAD_TEST_LONG || '0') !== '0'
}

export const leftOutLines = () =>
  Object.entries(longTests).map(
    ([name, reason]) => `${name}.test.ts (long: ${reason}; npm run test:all includes it)`,
  )
