// The command that calls any operation of the API. It loads the contract, so only when it runs.
import type { Command } from 'commander'
import { examples, run } from './command-parts.ts'

export function addApiCommand(program: Command): void {
  program
    .command('api [operation] [options...]')
    .usage('[<family>.<operation> [--<field> <value>]... | --list [text]]')
    .description(
      'call any operation of the API, describe one (<operation> --help), or list them',
    )
    // Options after the name belong to the operation, also `--help`.
    .passThroughOptions()
    .allowUnknownOption()
    .option('--list [text]', 'list the operations with the text in name, path or summary')
    .option('--json', 'print one line of JSON for each operation')
    .addHelpText(
      'after',
      examples(
        'botstead api --list conversation',
        'botstead api admin.listBots --paginate --json',
        'botstead api runtime.createMessage --help',
        'botstead api admin.updateBot --id bot_01K… --name "Shop"',
        'echo \'{"name":"Shop"}\' | botstead api admin.createBot --input -',
      ),
    )
    .action(
      run(async (operation, args, options) =>
        (await import('../commands/api.ts')).runApi(operation, args, options),
      ),
    )
}
