// Servers and their profiles; completion.
import { Argument, type Command, Option } from 'commander'
import {
  addCommand,
  examples,
  run,
  tokenOption,
  workspaceOption,
} from './command-parts.ts'

export function addServerCommands(program: Command): void {
  addCommand(program, 'login [url]', {
    about:
      'sign in to a server and store a token for it in a profile; with a sign-in link, an account, ' +
      'or a token (--token, standard input, or pasted)',
    options: [
      new Option('--profile <name>', 'name of the profile, by default the host'),
      new Option('--account <e-mail>', 'sign in with the password of this account'),
      tokenOption(),
      workspaceOption(),
      new Option('--bot <id>', 'bot of commands without --bot'),
    ],
    examples: [
      'botstead login https://bots.example.org',
      "botstead login 'https://bots.example.org/sign-in#link=…'",
      'botstead login https://bots.example.org --account ana@example.org',
      'botstead login https://bots.example.org --profile production < token.txt',
    ],
    run: async (url, options) =>
      (await import('../commands/login.ts')).login(url, options),
  })

  addCommand(program, 'logout [profile]', {
    about:
      'delete a profile, by default the one in use, and revoke a token that login created',
    examples: ['botstead logout', 'botstead logout production'],
    run: async (name, options) =>
      (await import('../commands/login.ts')).logout(name, options),
  })

  const profiles = program
    .command('profiles')
    .description('servers that you are signed in to')
  addCommand(profiles, 'list', {
    about: 'list the profiles; a star marks the one in use',
    options: [new Option('--limit <number>', 'maximum number of profiles')],
    json: 'print one JSON object per line, without tokens',
    examples: ['botstead profiles', 'botstead profiles list --json'],
    isDefault: true,
    run: async (options) => (await import('../commands/login.ts')).listProfiles(options),
  })
  addCommand(profiles, 'use <name>', {
    about: 'use a profile in commands without --server; "local" is the data folder',
    examples: ['botstead profiles use production', 'botstead profiles use local'],
    run: async (name, options) =>
      (await import('../commands/login.ts')).useProfile(name, options),
  })

  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .argument('[words...]', 'words of a command line, to complete the last one')
    .description(
      'print a script that completes commands, options and operations in your shell',
    )
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
