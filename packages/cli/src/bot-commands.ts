// Commands about bots, and about who talks to them: through the API of a server.
import type { Command } from 'commander'
import { connecting, examples, run } from './command-parts.ts'

export function addBotCommands(program: Command): void {
  connecting(program.command('chat [botId]'))
    .description('talk to a bot in the terminal, or by lines on standard input')
    .option('--chat-url <url>', 'the chat of any bot, with its webhook id')
    .option('--wait <seconds>', 'how long an answer may take when input is not a terminal', '30')
    .option('--trace', 'show what the bot did, turn by turn: a bot made of flows')
    .addHelpText(
      'after',
      examples(
        'botstead chat',
        'echo hello | botstead chat bot_01K…',
        'botstead chat --chat-url https://bots.example.org/chat/…',
      ),
    )
    .action(run(async (botId, options) => (await import('./commands/chat.ts')).chat(botId, options)))

  connecting(program.command('deploy <file>'))
    .description(
      'deploy a bot: its document (bot.json), or a bundle (one CommonJS file); a new one, or the next version of an existing one',
    )
    .option('--bot <id>', 'the bot to update')
    .option('--name <name>', 'what to call it')
    .option('--create-knowledge-bases', 'create the knowledge bases that the document names, empty')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'botstead deploy bot.json',
        'botstead deploy .botpress/dist/index.cjs --name "My bot"',
        'botstead deploy bot.cjs --bot bot_01K…',
      ),
    )
    .action(run(async (bundle, options) => (await import('./commands/deploy.ts')).deploy(bundle, options)))

  connecting(program.command('dev <document>'))
    .description(
      'deploy a document (bot.json) and follow it: every save changes the bot, and conversations go on',
    )
    .option('--bot <id>', 'the bot to change, by default one that has its name and "(dev)"')
    .option('--name <name>', 'what to call it')
    .addHelpText('after', examples('botstead dev bot.json', 'botstead dev bot.json --bot bot_01K…'))
    .action(
      run(async (document, options) =>
        (await import('./commands/deploy-document.ts')).developDocument(document, options),
      ),
    )

  connecting(program.command('logs [botId]'))
    .description('show what a bot wrote, by default the first one')
    .option('-f, --follow', 'go on as it writes')
    .option('--since <time>', 'how far back: 30s, 10m, 2h, 7d', '1h')
    .option('--level <level>', 'only lines of this level: debug, info, warn, error')
    .option('--grep <text>', 'only lines that hold this text')
    .option('--conversation <id>', 'only lines about this conversation')
    .option('--json', 'one object a line')
    .addHelpText(
      'after',
      examples(
        'botstead logs -f',
        'botstead logs bot_01K… --since 2d --level error',
        'botstead logs --grep "out of memory" --json',
      ),
    )
    .action(run(async (botId, options) => (await import('./commands/logs.ts')).logs(botId, options)))

  connecting(program.command('trace <conversation>'))
    .description('show what a bot made of flows did in a conversation, turn by turn')
    .option('--bot <id>', 'the bot, by default the first one')
    .option('-f, --follow', 'go on as it talks')
    .option('--json', 'one object a line')
    .addHelpText(
      'after',
      examples('botstead trace conv_01K…', 'botstead trace conv_01K… --bot bot_01K… --follow'),
    )
    .action(
      run(async (conversation, options) =>
        (await import('./commands/trace.ts')).trace(conversation, options),
      ),
    )

  program
    .command('test <document> [scripts...]')
    .description(
      'run conversation scripts against a bot (bot.json), in this process: no server, no network; by default those in tests/ beside it',
    )
    .option('--junit <file>', 'also write the results there, for machines')
    .addHelpText(
      'after',
      examples('botstead test bot.json', 'botstead test bot.json tests/booking.yaml --junit results.xml'),
    )
    .action(
      run(async (document, scripts, options) =>
        (await import('./commands/test.ts')).testBot(document, scripts, options),
      ),
    )

  const tokens = program.command('tokens').description('personal access tokens: list, create, delete')
  connecting(tokens.command('list', { isDefault: true }))
    .description('list your tokens, without the secrets')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('botstead tokens', 'botstead tokens list --json'))
    .action(run(async (options) => (await import('./commands/tokens.ts')).listTokens(options)))
  connecting(tokens.command('create [note]'))
    .description('make a token; its secret is shown once, alone on standard output')
    .option(
      '--account <e-mail>',
      'for this account, with access to the data folder or DATABASE_URL instead of a token',
    )
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'botstead tokens create "laptop"',
        'BP_TOKEN=$(botstead tokens create ci)',
        'botstead tokens create --account owner@localhost',
      ),
    )
    .action(run(async (note, options) => (await import('./commands/tokens.ts')).createToken(note, options)))
  connecting(tokens.command('delete <id>'))
    .description('revoke a token')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('botstead tokens delete pat_01K…'))
    .action(run(async (id, options) => (await import('./commands/tokens.ts')).deleteToken(id, options)))

  connecting(program.command('bots'))
    .description('list the bots of the workspace')
    .option('--json', 'one object a line')
    .addHelpText('after', examples('botstead bots', 'botstead bots --json | jq -r .id'))
    .action(run(async (options) => (await import('./commands/bots.ts')).listBots(options)))
}
