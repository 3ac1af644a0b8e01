// Builds the commands `<noun> <verb>` with the options that they share. A noun alone runs its list.
import { RequestError } from '@botstead/client'
import type { Command, Option } from 'commander'
import { MissingError, toMessage } from '../failure.ts'
import type { Context, SharedOptions } from '../server/context.ts'
import { printList, type Shape } from '../terminal/printing.ts'
import { addCommand, botOption, connectionOptions, yesOption } from './command-parts.ts'

export interface Verb<Options, Args extends unknown[]> {
  /** By default a bot. */
  scope?: 'account' | 'workspace' | 'bot'
  about: string
  options?: Option[]
  examples: string[]
  /**
   * The effect of a verb that deletes something, to be confirmed. `isLarge`: by typing the first
   * argument.
   */
  deletes?: { effect: (id: string) => string; isLarge?: true }
  run: (context: Context<Options>, ...args: Args) => Promise<void>
}

interface List<Options, Item, Args extends unknown[]>
  extends Omit<Verb<Options, Args>, 'run'>,
    Shape<Item> {
  read: (
    context: Context<Options>,
    ...args: Args
  ) => AsyncIterable<Item> | Promise<Iterable<Item>> | Promise<AsyncIterable<Item>>
}

/** Returns the noun, which another file may have begun. */
export const noun = (program: Command, name: string, about: string): Command =>
  program.commands.find((one) => one.name() === name) ??
  program.command(name).description(about)

/** `usage`: the verb with its arguments, such as `show <id>`. `list` is the verb of the bare noun. */
export function addVerb<Options = object, Args extends unknown[] = string[]>(
  parent: Command,
  usage: string,
  {
    scope = 'bot',
    about,
    options = [],
    examples,
    deletes,
    run: work,
  }: Verb<Options, Args>,
): Command {
  const isList = usage === 'list'
  const command = addCommand(parent, usage, {
    about,
    options: [
      ...options,
      ...(deletes ? [yesOption()] : []),
      ...connectionOptions(),
      ...(scope === 'bot' ? [botOption()] : []),
    ],
    json: 'print JSON, one line for each entry',
    examples,
    isDefault: isList,
    run: async (...given: unknown[]) => {
      const { openContext } = await import('../server/context.ts')
      // Commander appends the options and the command.
      const [args, shared] = [
        given.slice(0, -2) as Args,
        given.at(-2) as Options & SharedOptions,
      ]
      if (deletes) await confirmDeletion(deletes, String(args[0]), shared)
      const context = openContext(scope, shared)
      const isUnnamed = scope === 'bot' && shared.bot === undefined
      await work(context, ...args).catch((error) => {
        throw isUnnamed ? namingBot(error, context.botId) : error
      })
    },
  })
  if (isList) explainUnknownVerbs(parent, command)
  return command
}

/** Something may be missing only in the bot that the command has chosen. */
const namingBot = (error: unknown, botId: string): unknown =>
  error instanceof RequestError && error.status === 404
    ? new MissingError(`${toMessage(error)}; searched in the bot ${botId}, see --bot`)
    : error

async function confirmDeletion(
  { effect, isLarge }: NonNullable<Verb<object, []>['deletes']>,
  id: string,
  options: { yes?: boolean },
): Promise<void> {
  const { confirm } = await import('../terminal/prompt.ts')
  await confirm(effect(id), options, isLarge ? id : 'yes')
}

/** The parser takes an unknown verb for an argument of the list. */
const explainUnknownVerbs = (parent: Command, list: Command) =>
  list.configureOutput({
    outputError: (text, write) =>
      write(
        text
          .replace(/^error:/, 'botstead:')
          .replace(
            /^botstead: too many arguments.*/,
            () =>
              `botstead: unknown verb of "${parent.name()}"; verbs: ` +
              parent.commands.map((one) => one.name()).join(', '),
          ),
      ),
  })

export const addList = <Item, Options = object, Args extends unknown[] = string[]>(
  parent: Command,
  usage: string,
  { columns, keepsEnd, empty, toValue, read, ...verb }: List<Options, Item, Args>,
): Command =>
  addVerb<Options, Args>(parent, usage, {
    ...verb,
    run: async (context, ...args) =>
      printList(
        await read(context, ...args),
        {
          columns,
          ...(keepsEnd && { keepsEnd }),
          ...(empty && { empty }),
          ...(toValue && { toValue }),
        },
        context.options,
      ),
  }).option('--limit <number>', 'maximum number of entries, by default 100 on a terminal')
