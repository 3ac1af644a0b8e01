// Commands for bots and tokens. They call the API of a server.
import type { Command } from 'commander'
import { connecting, examples, run } from './command-parts.ts'

export function addBotCommands(program: Command): void {
  connecting(program.command('chat [botId]'))
    .description('chat with a bot in the terminal, or send it the lines of standard input')
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
      run(async (botId, options) => (await import('./commands/chat.ts')).runChat(botId, options)),
    )

  connecting(program.command('webchat [botId]'))
    .description('print the HTML that embeds the webchat of a bot, and its client id')
    .option(
      '--type <type>',
      'preconfigured, configurable, fullscreen or sharableUrl',
      'preconfigured',
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
        (await import('./commands/webchat.ts')).showWebchat(botId, options),
      ),
    )

  connecting(program.command('deploy <file>'))
    .description(
      'deploy a flow bot (bot.json or bot.yaml) or a bundle (one CommonJS file), ' +
        'as a new bot or with --bot as an update',
    )
    .option('--bot <id>', 'bot to update, by default a new bot')
    .option('--name <name>', 'name of the bot')
    .option('--create-knowledge-bases', 'create missing knowledge bases of the document, empty')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead deploy bot.json',
        'botstead deploy .botpress/dist/index.cjs --name "My bot"',
        'botstead deploy bot.cjs --bot bot_01K…',
      ),
    )
    .action(
      run(async (bundle, options) =>
        (await import('./commands/deploy.ts')).deploy(bundle, options),
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
        (await import('./commands/deploy-document.ts')).developDocument(document, options),
      ),
    )

  connecting(program.command('logs [botId]'))
    .description('print the log lines of a bot, by default the bot of the data folder')
    .option('-f, --follow', 'keep printing new lines')
    .option('--since <time>', 'age of the oldest line: 30s, 10m, 2h, 7d', '1h')
    .option('--level <level>', 'only lines of this level: debug, info, warn, error')
    .option('--grep <text>', 'only lines that contain this text, in any case')
    .option('--conversation <id>', 'only lines of this conversation')
    .option('--json', 'print one JSON object per line')
    .addHelpText(
      'after',
      examples(
        'botstead logs -f',
        'botstead logs bot_01K… --since 2d --level error',
        'botstead logs --grep "out of memory" --json',
      ),
    )
    .action(
      run(async (botId, options) => (await import('./commands/logs.ts')).logs(botId, options)),
    )

  connecting(program.command('trace <conversation>'))
    .description('print the trace of each turn of a conversation (flow bots only)')
    .option('--bot <id>', 'bot of the conversation, by default the bot of the data folder')
    .option('-f, --follow', 'keep printing new turns')
    .option('--json', 'print one JSON object per line')
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
        (await import('./commands/test.ts')).testBot(document, scripts, options),
      ),
    )

  const tokens = program
    .command('tokens')
    .description('list, create and delete personal access tokens')
  connecting(tokens.command('list', { isDefault: true }))
    .description('list your tokens, without their values')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('botstead tokens', 'botstead tokens list --json'))
    .action(run(async (options) => (await import('./commands/tokens.ts')).runListTokens(options)))
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
        (await import('./commands/tokens.ts')).runCreateToken(note, options),
      ),
    )
  connecting(tokens.command('delete <id>'))
    .description('revoke a token')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('botstead tokens delete pat_01K…'))
    .action(
      run(async (id, options) =>
        (await import('./commands/tokens.ts')).runDeleteToken(id, options),
      ),
    )

  program
    .command('login-link')
    .description('print a link that signs in once, created in the database')
    .requiredOption('--account <e-mail>', 'account that the link signs in')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('botstead login-link --account owner@localhost'))
    .action(
      run(async (options) => (await import('./commands/login-link.ts')).runLoginLink(options)),
    )

  addWorkspaceCommands(program)

  connecting(program.command('bots'))
    .description('list the bots of the workspace')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', examples('botstead bots', 'botstead bots --json | jq -r .id'))
    .action(run(async (options) => (await import('./commands/bots.ts')).runListBots(options)))
}

function addWorkspaceCommands(program: Command): void {
  const workspaces = program.command('workspaces').description('list and create workspaces')
  connecting(workspaces.command('list', { isDefault: true }))
    .description('list the ids and names of your workspaces')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', examples('botstead workspaces', 'botstead workspaces list --json'))
    .action(
      run(async (options) => (await import('./commands/workspaces.ts')).runListWorkspaces(options)),
    )
  connecting(workspaces.command('create <name>'))
    .description('create a workspace that you own, and print its id')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('botstead workspaces create "Shop"'))
    .action(
      run(async (name, options) =>
        (await import('./commands/workspaces.ts')).runCreateWorkspace(name, options),
      ),
    )
}
