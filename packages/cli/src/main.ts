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

const examples = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`

program
  .command('start')
  .description('start the server (settings: BOTSTEAD_PORT, BOTSTEAD_HOST, BOTSTEAD_DATA, DATABASE_URL …)')
  .action(run(async () => (await import('./commands/start.ts')).start()))

connecting(program.command('chat [botId]'))
  .description('talk to a bot in the terminal, or by lines on standard input')
  .option('--chat-url <url>', 'the chat of any bot, with its webhook id')
  .option('--wait <seconds>', 'how long an answer may take when input is not a terminal', '30')
  .option('--trace', 'show what the bot did, turn by turn: a bot made of flows')
  .action(run(async (botId, options) => (await import('./commands/chat.ts')).chat(botId, options)))

connecting(program.command('deploy <file>'))
  .description('deploy a bot: its document (bot.json), or a bundle (one CommonJS file); a new one, or the next version of an existing one')
  .option('--bot <id>', 'the bot to update')
  .option('--name <name>', 'what to call it')
  .action(run(async (bundle, options) => (await import('./commands/deploy.ts')).deploy(bundle, options)))

connecting(program.command('dev <document>'))
  .description('deploy a document (bot.json) and follow it: every save changes the bot, and conversations go on')
  .option('--bot <id>', 'the bot to change, by default one that has its name and "(dev)"')
  .option('--name <name>', 'what to call it')
  .action(run(async (document, options) => (await import('./commands/deploy-document.ts')).developDocument(document, options)))

connecting(program.command('logs [botId]'))
  .description('show what a bot wrote, by default the first one')
  .option('-f, --follow', 'go on as it writes')
  .option('--since <time>', 'how far back: 30s, 10m, 2h, 7d', '1h')
  .option('--level <level>', 'only lines of this level: debug, info, warn, error')
  .option('--grep <text>', 'only lines that hold this text')
  .option('--conversation <id>', 'only lines about this conversation')
  .option('--json', 'one object a line')
  .addHelpText('after', examples('botstead logs -f', 'botstead logs bot_01K… --since 2d --level error', 'botstead logs --grep "out of memory" --json'))
  .action(run(async (botId, options) => (await import('./commands/logs.ts')).logs(botId, options)))

connecting(program.command('trace <conversation>'))
  .description('show what a bot made of flows did in a conversation, turn by turn')
  .option('--bot <id>', 'the bot, by default the first one')
  .option('-f, --follow', 'go on as it talks')
  .option('--json', 'one object a line')
  .action(run(async (conversation, options) => (await import('./commands/trace.ts')).trace(conversation, options)))

program
  .command('test <document> [scripts...]')
  .description('run conversation scripts against a bot (bot.json), in this process: no server, no network; by default those in tests/ beside it')
  .option('--junit <file>', 'also write the results there, for machines')
  .addHelpText('after', examples('botstead test bot.json', 'botstead test bot.json tests/booking.yaml --junit results.xml'))
  .action(run(async (document, scripts, options) => (await import('./commands/test.ts')).testBot(document, scripts, options)))

const tokens = program.command('tokens').description('personal access tokens: list, create, delete')
connecting(tokens.command('list', { isDefault: true }))
  .description('list your tokens, without the secrets')
  .option('--json', 'as JSON')
  .action(run(async (options) => (await import('./commands/tokens.ts')).listTokens(options)))
connecting(tokens.command('create <note>'))
  .description('make a token; its secret is shown once, alone on standard output')
  .option('--json', 'as JSON')
  .addHelpText('after', examples('botstead tokens create "laptop"', 'BP_TOKEN=$(botstead tokens create ci)'))
  .action(run(async (note, options) => (await import('./commands/tokens.ts')).createToken(note, options)))
connecting(tokens.command('delete <id>'))
  .description('revoke a token')
  .action(run(async (id, options) => (await import('./commands/tokens.ts')).deleteToken(id, options)))

program
  .command('migrate')
  .description('bring the database up to date and end; start does the same')
  .action(run(async () => (await import('./commands/migrate.ts')).migrate()))

program
  .command('doctor')
  .description('look the installation over and say what to do; exit code 1 when something is bad')
  .option('--json', 'as JSON')
  .addHelpText('after', examples('botstead doctor', 'DATABASE_URL=postgres://… BOTSTEAD_PUBLIC_URL=https://bots.example.org botstead doctor'))
  .action(run(async (options) => (await import('./commands/doctor.ts')).doctor(options)))

connecting(program.command('bots'))
  .description('list the bots of the workspace')
  .option('--json', 'one object a line')
  .action(run(async (options) => (await import('./commands/bots.ts')).listBots(options)))

program
  .command('export <workspaceId>')
  .description('write all of a workspace into one file, while its server runs or not')
  .option('-o, --output <file>', 'by default <workspaceId>.botstead, here')
  .option('--passphrase-file <file>', 'locks the secrets with what is in this file (or in BOTSTEAD_PASSPHRASE)')
  .option('--no-secrets', 'leave secrets, configurations and versions of bots out')
  .option('--json', 'as JSON')
  .addHelpText(
    'after',
    examples(
      'botstead export 11111111-1111-1111-aaaa-111111111111 --passphrase-file passphrase.txt',
      'BOTSTEAD_DATA=/srv/botstead botstead export 11111111-1111-1111-aaaa-111111111111 --no-secrets -o workspace.botstead',
    ),
  )
  .action(run(async (workspaceId, options) => (await import('./commands/export.ts')).exportOne(workspaceId, options)))

program
  .command('import <archive>')
  .description('take in a workspace that was exported, with its ids; all of it, or nothing')
  .option('--passphrase-file <file>', 'the passphrase with which it was made is in this file (or in BOTSTEAD_PASSPHRASE)')
  .option('--signed-by <fingerprint>', 'only if it is signed by this installation: what its export printed')
  .option('--max-mb <number>', 'how much it may unpack to; by default 1024, or a hundred times its size')
  .option('--json', 'as JSON')
  .addHelpText(
    'after',
    examples(
      'botstead import workspace.botstead --passphrase-file passphrase.txt',
      'BOTSTEAD_PASSPHRASE=… botstead import workspace.botstead --signed-by 5f0c…',
    ),
  )
  .action(run(async (archive, options) => (await import('./commands/import.ts')).importOne(archive, options)))

const audit = program.command('audit').description('what is remembered of changes to the workspace')
connecting(audit.command('verify'))
  .description('check that no audit record was changed, removed or moved; exit code 1 when one was')
  .option('--noted <number:hash>', 'what this command printed at an earlier time')
  .action(run(async (options) => (await import('./commands/audit.ts')).verifyAudit(options)))

const keys = program.command('keys').description('the master key, which opens all secrets')
keys
  .command('rotate')
  .description('put a new master key in place; servers that run need no restart')
  .option('--both', 'the one before stays good, until "botstead keys finish": for servers with key files of their own')
  .addHelpText('after', examples('botstead keys rotate', 'BOTSTEAD_NEW_MASTER_KEY=$(openssl rand -hex 32) botstead keys rotate'))
  .action(run(async (options) => (await import('./commands/keys.ts')).rotateKeys(options)))
keys
  .command('finish')
  .description('from now on only the present master key is good')
  .action(run(async () => (await import('./commands/keys.ts')).finishKeys()))

program
  .command('health')
  .description('say whether the server is ready to work; exit code 1 when not')
  .option('--url <url>', 'the server, by default the one of the data folder')
  .option('--json', 'as JSON')
  .action(run(async (options) => (await import('./commands/health.ts')).health(options)))

await program.parseAsync()
