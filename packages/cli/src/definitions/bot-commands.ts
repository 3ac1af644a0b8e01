// Commands for bots and tokens. They call the API of a server.
import { type Command, Option } from 'commander'
import { formatTime } from '../terminal/printing.ts'
import { botOption, choice, connecting, examples, run, yesOption } from './command-parts.ts'
import { addList, noun } from './verbs.ts'

export function addBotCommands(program: Command): void {
  program
    .command('new <folder>')
    .description('create a project in a new or empty folder, with tests and README')
    .addOption(
      choice('--template <template>', 'kind of project', [
        'faq',
        'agent',
        'sdk-bot',
        'integration',
      ]).default('faq'),
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('botstead new my-bot', 'botstead new my-integration --template integration'),
    )
    .action(
      run(async (folder, options) =>
        (await import('../commands/new.ts')).createProject(folder, options),
      ),
    )

  connecting(program.command('chat [botId]'))
    .description('chat with a bot in the terminal, or send it the lines of standard input')
    .addOption(botOption())
    .option('--chat-url <url>', 'chat URL of any bot, with its webhook id; needs no token')
    .option('--wait <seconds>', 'maximum time for an answer when input is not a terminal', '30')
    .option('--trace', 'print the trace of each turn (flow bots only)')
    .addHelpText(
      'after',
      examples(
        'botstead chat',
        'echo hello | botstead chat bot_01K…',
        'botstead chat --chat-url https://bots.example.org/chat/…',
      ),
    )
    .action(
      run(async (botId, options) => (await import('../commands/chat.ts')).runChat(botId, options)),
    )

  connecting(program.command('webchat [botId]'))
    .description('print the HTML that embeds the webchat of a bot, and its client id')
    .addOption(botOption())
    .addOption(
      choice('--type <type>', 'way to embed it', [
        'preconfigured',
        'configurable',
        'fullscreen',
        'sharableUrl',
      ]).default('preconfigured'),
    )
    .option('--origins <list>', 'allow only pages of these origins; an empty list allows all')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead webchat',
        'botstead webchat bot_01K… --type configurable',
        'botstead webchat --origins https://www.example.org,https://shop.example.org',
      ),
    )
    .action(
      run(async (botId, options) =>
        (await import('../commands/webchat.ts')).showWebchat(botId, options),
      ),
    )

  connecting(program.command('deploy <file>'))
    .description(
      'deploy a flow bot (bot.json or bot.yaml) or a bundle (one CommonJS file), ' +
        'as a new bot or with --bot as an update',
    )
    .option('--bot <id>', 'bot to update, by default a new bot')
    .option('--name <name>', 'name of the bot')
    .option('--dry-run', 'print the changes that the deployment would make, for a document')
    .addOption(new Option('--create-knowledge-bases', 'former option; now always on').hideHelp())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead deploy bot.json',
        'botstead deploy bot.json --bot bot_01K… --dry-run',
        'botstead deploy .botpress/dist/index.cjs --name "My bot"',
        'botstead deploy bot.cjs --bot bot_01K…',
      ),
    )
    .action(
      run(async (bundle, options) =>
        (await import('../commands/deploy.ts')).deploy(bundle, options),
      ),
    )

  connecting(program.command('dev <document>'))
    .description(
      'deploy a flow bot (bot.json or bot.yaml) and update it after each save; conversations continue',
    )
    .option('--bot <id>', 'bot to update, by default the one with this name and "(dev)"')
    .option('--name <name>', 'name of the bot, without "(dev)"')
    .addHelpText('after', examples('botstead dev bot.json', 'botstead dev bot.json --bot bot_01K…'))
    .action(
      run(async (document, options) =>
        (await import('../commands/deploy-document.ts')).developDocument(document, options),
      ),
    )

  connecting(program.command('logs [botId]'))
    .description('print the log lines of a bot, by default the bot of the data folder')
    .addOption(botOption())
    .option('-f, --follow', 'keep printing new lines')
    .option('--since <time>', 'age of the oldest line: 30s, 10m, 2h, 7d, or a date', '1h')
    .addOption(
      choice('--level <level>', 'only lines of this level', ['debug', 'info', 'warn', 'error']),
    )
    .option('--grep <text>', 'only lines that contain this text, in any case')
    .option('--conversation <id>', 'only lines of this conversation')
    .option('--limit <number>', 'maximum number of lines, the newest ones')
    .option('--json', 'print one JSON object per line')
    .addHelpText(
      'after',
      examples(
        'botstead logs -f',
        'botstead logs bot_01K… --since 2d --level error --limit 20',
        'botstead logs --grep "out of memory" --json',
      ),
    )
    .action(
      run(async (botId, options) => (await import('../commands/logs.ts')).logs(botId, options)),
    )

  connecting(program.command('trace <conversation>'))
    .description('print the trace of each turn of a conversation (flow bots only)')
    .addOption(botOption())
    .option('-f, --follow', 'keep printing new turns')
    .option('--limit <number>', 'maximum number of turns, the newest ones')
    .option('--json', 'print one JSON object per line')
    .addHelpText(
      'after',
      examples('botstead trace conv_01K…', 'botstead trace conv_01K… --bot bot_01K… --follow'),
    )
    .action(
      run(async (conversation, options) =>
        (await import('../commands/trace.ts')).trace(conversation, options),
      ),
    )

  program
    .command('test <document> [scripts...]')
    .description(
      'run conversation scripts against a flow bot (bot.json or bot.yaml) in this process, ' +
        'without server or network; by default tests/*.yaml beside it',
    )
    .option('--junit <file>', 'also write the results to this file as JUnit XML')
    .addHelpText(
      'after',
      examples(
        'botstead test bot.json',
        'botstead test bot.json tests/booking.yaml --junit results.xml',
      ),
    )
    .action(
      run(async (document, scripts, options) =>
        (await import('../commands/test.ts')).testBot(document, scripts, options),
      ),
    )

  const tokens = noun(program, 'tokens', 'your personal access tokens')
  addList(tokens, 'list', {
    scope: 'account',
    about: 'list your tokens, without their values',
    examples: ['botstead tokens', 'botstead tokens list --json'],
    read: async ({ client }) => (await client.admin.listPersonalAccessTokens()).pats,
    columns: {
      id: ({ id }) => id,
      created: ({ createdAt }) => formatTime(createdAt),
      note: ({ note }) => note,
    },
  })
  connecting(tokens.command('create [note]'))
    .description('create a token; prints only its value on standard output, once')
    .option(
      '--account <e-mail>',
      'create it for this account directly in the database (BOTSTEAD_DATA or DATABASE_URL), without a token',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead tokens create "laptop"',
        'BP_TOKEN=$(botstead tokens create ci)',
        'botstead tokens create --account owner@localhost',
      ),
    )
    .action(
      run(async (note, options) =>
        (await import('../commands/tokens.ts')).runCreateToken(note, options),
      ),
    )
  connecting(tokens.command('delete <id>'))
    .description('revoke a token')
    .addOption(yesOption())
    .option('--json', 'print JSON')
    .addHelpText('after', examples('botstead tokens delete pat_01K…'))
    .action(
      run(async (id, options) =>
        (await import('../commands/tokens.ts')).runDeleteToken(id, options),
      ),
    )

  program
    .command('login-link')
    .description('print a link that signs in once, created in the database')
    .requiredOption('--account <e-mail>', 'account that the link signs in')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('botstead login-link --account owner@localhost'))
    .action(
      run(async (options) =>
        (await import('../commands/operator/login-link.ts')).runLoginLink(options),
      ),
    )
}
