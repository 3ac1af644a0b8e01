// The command line: what there is to call. Each command is a file of its own, loaded when it is called.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { report } from './failure.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Runs a command; whatever it throws ends as one sentence. */
const run =
  <Args extends unknown[]>(command: (...args: Args) => Promise<void>) =>
  (...args: Args) =>
    command(...args).catch(report)

const program = new Command('botstead')
  .description('A bot platform on your own machine')
  .version(version)
  .showHelpAfterError('Run "botstead --help" to see what there is.')

/** Where the server is and who calls. By default what the first start wrote into the data folder. */
const connecting = (command: Command) =>
  command
    .option('--url <url>', 'the server, by default the one of the data folder')
    .option('--token <token>', 'a personal access token')
    .option('--workspace <id>', 'the workspace to act in')

program
  .command('start')
  .description('start the server (settings: BOTSTEAD_PORT, BOTSTEAD_HOST, BOTSTEAD_DATA, DATABASE_URL …)')
  .action(run(async () => (await import('./commands/start.ts')).start()))

connecting(program.command('chat [botId]'))
  .description('talk to a bot in the terminal, or by lines on standard input')
  .option('--chat-url <url>', 'the chat of any bot, with its webhook id')
  .option('--wait <seconds>', 'how long an answer may take when input is not a terminal', '30')
  .action(run(async (botId, options) => (await import('./commands/chat.ts')).chat(botId, options)))

connecting(program.command('deploy <bundle>'))
  .description('deploy a bundled bot (one CommonJS file): a new one, or the next version of an existing one')
  .option('--bot <id>', 'the bot to update')
  .option('--name <name>', 'what to call it')
  .action(run(async (bundle, options) => (await import('./commands/deploy.ts')).deploy(bundle, options)))

connecting(program.command('bots'))
  .description('list the bots of the workspace')
  .action(run(async (options) => (await import('./commands/bots.ts')).listBots(options)))

program
  .command('health')
  .description('say whether the server is ready to work; exit code 1 when not')
  .option('--url <url>', 'the server, by default the one of the data folder')
  .action(run(async (options) => (await import('./commands/health.ts')).health(options)))

await program.parseAsync()
