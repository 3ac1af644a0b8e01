// Commands for bots and tokens. They call the API of a server.
import { type Command, Option } from 'commander'
import { formatTime } from '../terminal/printing.ts'
import {
  addCommand,
  botOption,
  choice,
  connectionOptions,
  tokenOption,
  workspaceOption,
  yesOption,
} from './command-parts.ts'
import { addOperationList } from './operation-verbs.ts'
import { noun } from './verbs.ts'

export function addBotCommands(program: Command): void {
  addCommand(program, 'new <folder>', {
    about: 'create a project in a new or empty folder, with tests and README',
    options: [
      choice('--template <template>', 'kind of project', [
        'faq',
        'agent',
        'sdk-bot',
        'integration',
      ]).default('faq'),
    ],
    examples: [
      'botstead new my-bot',
      'botstead new my-integration --template integration',
    ],
    run: async (folder, options) =>
      (await import('../commands/new.ts')).createProject(folder, options),
  })

  addCommand(program, 'chat [botId]', {
    about: 'chat with a bot in the terminal, or send it the lines of standard input',
    options: [
      ...connectionOptions(),
      botOption(),
      new Option(
        '--chat-url <url>',
        'chat URL of any bot, with its webhook id; needs no token',
      ),
      new Option(
        '--wait <seconds>',
        'maximum time for an answer when input is not a terminal',
      ).default('30'),
      new Option('--trace', 'print the trace of each turn (flow bots only)'),
    ],
    examples: [
      'botstead chat',
      'echo hello | botstead chat bot_01K…',
      'botstead chat --chat-url https://bots.example.org/chat/…',
    ],
    json: false,
    run: async (botId, options) =>
      (await import('../commands/chat.ts')).runChat(botId, options),
  })

  addCommand(program, 'webchat [botId]', {
    about: 'print the HTML that embeds the webchat of a bot, and its client id',
    options: [
      ...connectionOptions(),
      botOption(),
      choice('--type <type>', 'way to embed it', [
        'preconfigured',
        'configurable',
        'fullscreen',
        'sharableUrl',
      ]).default('preconfigured'),
      new Option(
        '--origins <list>',
        'allow only pages of these origins; an empty list allows all',
      ),
    ],
    examples: [
      'botstead webchat',
      'botstead webchat bot_01K… --type configurable',
      'botstead webchat --origins https://www.example.org,https://shop.example.org',
    ],
    run: async (botId, options) =>
      (await import('../commands/webchat.ts')).showWebchat(botId, options),
  })

  addCommand(program, 'deploy <file>', {
    about:
      'deploy a flow bot (bot.json or bot.yaml) or a bundle (one CommonJS file), ' +
      'as a new bot or with --bot as an update',
    options: [
      ...connectionOptions(),
      new Option('--bot <id>', 'bot to update, by default a new bot'),
      new Option('--name <name>', 'name of the bot'),
      new Option(
        '--dry-run',
        'print the changes that the deployment would make, for a document',
      ),
      new Option('--create-knowledge-bases', 'former option; now always on').hideHelp(),
    ],
    examples: [
      'botstead deploy bot.json',
      'botstead deploy bot.json --bot bot_01K… --dry-run',
      'botstead deploy .botpress/dist/index.cjs --name "My bot"',
      'botstead deploy bot.cjs --bot bot_01K…',
    ],
    run: async (bundle, options) =>
      (await import('../commands/deploy.ts')).deploy(bundle, options),
  })

  addCommand(program, 'dev <document>', {
    about:
      'deploy a flow bot (bot.json or bot.yaml) and update it after each save; conversations continue',
    options: [
      ...connectionOptions(),
      new Option(
        '--bot <id>',
        'bot to update, by default the one with this name and "(dev)"',
      ),
      new Option('--name <name>', 'name of the bot, without "(dev)"'),
    ],
    examples: ['botstead dev bot.json', 'botstead dev bot.json --bot bot_01K…'],
    json: false,
    run: async (document, options) =>
      (await import('../commands/deploy-document.ts')).developDocument(document, options),
  })

  addCommand(program, 'import-bot <file>', {
    about:
      "convert another builder's bot (Typebot, Dify, Flowise, Voiceflow, Botpress 12, Agent Builder) to a " +
      'document and a report, on this machine, without a server',
    options: [
      new Option('--dry-run', 'print the report, and write nothing'),
      new Option('--out <folder>', 'folder for the document and the report').default('.'),
      new Option('--yaml', 'write bot.yaml in place of bot.json'),
      new Option('--force', 'replace files of an earlier import'),
    ],
    examples: [
      'botstead import-bot typebot-export-support.json --dry-run',
      'botstead import-bot chatflow.yml --out support',
      'botstead import-bot support.json --out support --yaml && botstead deploy support/bot.yaml',
    ],
    json: 'print the report as JSON',
    run: async (file, options) =>
      (await import('../commands/import-bot.ts')).convertFile(file, options),
  })

  addCommand(program, 'logs [botId]', {
    about: 'print the log lines of a bot, by default the bot of the data folder',
    options: [
      ...connectionOptions(),
      botOption(),
      new Option('-f, --follow', 'keep printing new lines'),
      new Option(
        '--since <time>',
        'age of the oldest line: 30s, 10m, 2h, 7d, or a date',
      ).default('1h'),
      choice('--level <level>', 'only lines of this level', [
        'debug',
        'info',
        'warn',
        'error',
      ]),
      new Option('--grep <text>', 'only lines that contain this text, in any case'),
      new Option('--conversation <id>', 'only lines of this conversation'),
      new Option('--limit <number>', 'maximum number of lines, the newest ones'),
    ],
    examples: [
      'botstead logs -f',
      'botstead logs bot_01K… --since 2d --level error --limit 20',
      'botstead logs --grep "out of memory" --json',
    ],
    json: 'print one JSON object per line',
    run: async (botId, options) =>
      (await import('../commands/logs.ts')).logs(botId, options),
  })

  addCommand(program, 'trace <conversation>', {
    about: 'print the trace of each turn of a conversation (flow bots only)',
    options: [
      ...connectionOptions(),
      botOption(),
      new Option('-f, --follow', 'keep printing new turns'),
      new Option('--limit <number>', 'maximum number of turns, the newest ones'),
    ],
    examples: [
      'botstead trace conv_01K…',
      'botstead trace conv_01K… --bot bot_01K… --follow',
    ],
    json: 'print one JSON object per line',
    run: async (conversation, options) =>
      (await import('../commands/trace.ts')).trace(conversation, options),
  })

  addCommand(program, 'test <document> [files...]', {
    about:
      'run conversation scripts and knowledge checks of a flow bot (bot.json or bot.yaml); by default ' +
      'tests/*.yaml beside it. Scripts run in this process, without network',
    options: [
      new Option('--junit <file>', 'also write the results to this file as JUnit XML'),
      // Not from the environment: a temporary bot on a server needs a decision.
      new Option(
        '--server <url|profile>',
        'run knowledge checks in a temporary bot of this server, by default in a temporary server',
      ),
      tokenOption(),
      workspaceOption(),
    ],
    examples: [
      'botstead test bot.json',
      'botstead test bot.json tests/booking.yaml --junit results.xml',
      'botstead test bot.json tests/knowledge.yaml --server https://bots.example.org',
    ],
    json: false,
    run: async (document, files, options) =>
      (await import('../commands/test.ts')).testBot(document, files, options),
  })

  const tokens = noun(program, 'tokens', 'your personal access tokens')
  addOperationList(tokens, 'list', {
    operation: 'admin.listPersonalAccessTokens',
    scope: 'account',
    about: 'list your tokens, without their values',
    examples: ['botstead tokens', 'botstead tokens list --json'],
    columns: {
      id: ({ id }) => id,
      created: ({ createdAt }) => formatTime(createdAt),
      note: ({ note }) => note,
    },
  })
  addCommand(tokens, 'create [note]', {
    about: 'create a token; prints only its value on standard output, once',
    options: [
      ...connectionOptions(),
      new Option(
        '--account <e-mail>',
        'create it for this account directly in the database (BOTSTEAD_DATA or DATABASE_URL), ' +
          'without a token',
      ),
    ],
    examples: [
      'botstead tokens create "laptop"',
      'BP_TOKEN=$(botstead tokens create ci)',
      'botstead tokens create --account owner@localhost',
    ],
    run: async (note, options) =>
      (await import('../commands/tokens.ts')).runCreateToken(note, options),
  })
  addCommand(tokens, 'delete <id>', {
    about: 'revoke a token',
    options: [...connectionOptions(), yesOption()],
    examples: ['botstead tokens delete pat_01K…'],
    run: async (id, options) =>
      (await import('../commands/tokens.ts')).runDeleteToken(id, options),
  })

  addCommand(program, 'login-link', {
    about: 'print a link that signs in once, created in the database',
    options: [
      new Option(
        '--account <e-mail>',
        'account that the link signs in',
      ).makeOptionMandatory(),
    ],
    examples: ['botstead login-link --account owner@localhost'],
    run: async (options) =>
      (await import('../commands/operator/login-link.ts')).runLoginLink(options),
  })
}
