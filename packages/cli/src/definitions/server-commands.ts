// Servers and their profiles; completion.
import { Argument, type Command, Option } from 'commander'
import { examples, run, tokenOption, workspaceOption } from './command-parts.ts'

export function addServerCommands(program: Command): void {
  program
    .command('login [url]')
    .description(
      'sign in to a server and store a token for it in a profile; with a sign-in link, an account, ' +
        'or a token (--token, standard input, or pasted)',
    )
    .option('--profile <name>', 'name of the profile, by default the host')
    .option('--account <e-mail>', 'sign in with the password of this account')
    .addOption(tokenOption())
    .addOption(workspaceOption())
    .option('--bot <id>', 'bot of commands without --bot')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead login https://bots.example.org',
        "botstead login 'https://bots.example.org/sign-in#link=…'",
        'botstead login https://bots.example.org --account ana@example.org',
        'botstead login https://bots.example.org --profile production < token.txt',
      ),
    )
    .action(run(async (url, options) => (await import('../commands/login.ts')).login(url, options)))

  program
    .command('logout [profile]')
    .description(
      'delete a profile, by default the one in use, and revoke a token that login created',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', examples('botstead logout', 'botstead logout production'))
    .action(
      run(async (name, options) => (await import('../commands/login.ts')).logout(name, options)),
    )

  const profiles = program.command('profiles').description('servers that you are signed in to')
  profiles
    .command('list', { isDefault: true })
    .description('list the profiles; a star marks the one in use')
    .option('--json', 'print one JSON object per line, without tokens')
    .addOption(new Option('--limit <number>', 'maximum number of profiles'))
    .addHelpText('after', examples('botstead profiles', 'botstead profiles list --json'))
    .action(run(async (options) => (await import('../commands/login.ts')).listProfiles(options)))
  profiles
    .command('use <name>')
    .description('use a profile in commands without --server; "local" is the data folder')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('botstead profiles use production', 'botstead profiles use local'),
    )
    .action(
      run(async (name, options) =>
        (await import('../commands/login.ts')).useProfile(name, options),
      ),
    )

  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .argument('[words...]', 'words of a command line, to complete the last one')
    .description('print a script that completes commands, options and operations in your shell')
    .addHelpText(
      'after',
      examples(
        'eval "$(botstead completion bash)"',
        'botstead completion zsh > ~/.zfunc/_botstead',
        'botstead completion fish > ~/.config/fish/completions/botstead.fish',
      ),
    )
    .action(
      run(async (shell: 'bash' | 'zsh' | 'fish', words: string[]) => {
        const { complete, scripts } = await import('./completion.ts')
        process.stdout.write(
          words.length > 0
            ? complete(program, words)
                .map((one) => `${one}\n`)
                .join('')
            : scripts[shell],
        )
      }),
    )
}
