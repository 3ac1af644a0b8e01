// Verbs that are one operation of the API. Arguments and options are its fields, by their names.
import type { Client } from '@botstead/client'
import type { Command } from 'commander'
import type { Context } from '../server/context.ts'
import { printDone, printObject, type Shape } from '../terminal/printing.ts'
import { parseSince } from '../terminal/since.ts'
import { addList, addVerb, type Verb } from './verbs.ts'

type OperationName = {
  [F in keyof Client]: `${F}.${keyof Client[F] & string}`
}[keyof Client]
type Answer<Name> = Name extends `${infer F extends keyof Client}.${infer Id}`
  ? Client[F][Id & keyof Client[F]] extends (...input: never[]) => Promise<infer Result>
    ? Result
    : never
  : never
/** Of the list in an answer. */
type Item<Result> = {
  [K in keyof Result]: Result[K] extends readonly (infer Each)[] ? Each : never
}[keyof Result]
/** The field of an answer that has no other. */
type Value<Result> = {
  [K in keyof Result]-?: [keyof Result] extends [K] ? Result[K] : Result
}[keyof Result]

interface OperationVerb<Name> extends Omit<Verb<object, string[]>, 'run'> {
  /** `<family>.<operation>` */
  operation: Name
  /** Names of fields, by arguments and options that have other names; `bot` is that of the command. */
  fields?: Record<string, string>
}

/** Adds a verb that prints the items of all pages. */
export const addOperationList = <Name extends OperationName>(
  parent: Command,
  usage: string,
  { operation, fields = {}, ...list }: OperationVerb<Name> & Shape<Item<Answer<Name>>>,
): Command =>
  addList<Item<Answer<Name>>>(parent, usage, {
    ...list,
    read: async (context, ...args) => {
      const { callOperation } = await import('../api/operation-call.ts')
      const given = toFields(context, usage, args, fields)
      return context.pages(async (page) => {
        const { meta = {}, ...answer } = await callOperation(context, operation, {
          ...given,
          ...page,
        })
        return {
          items: Object.values(answer).find(Array.isArray) ?? [],
          ...(meta as object),
        }
      })
    },
  })

/** Adds a verb that prints the answer, or a sentence about the change. */
export const addOperation = <Name extends OperationName>(
  parent: Command,
  usage: string,
  {
    operation,
    fields = {},
    values,
    done,
    ...verb
  }: OperationVerb<Name> & {
    /** Of further fields. */
    values?: Record<string, unknown>
    done?: (value: Value<Answer<Name>>, id: string) => string
  },
): Command =>
  addVerb(parent, usage, {
    ...verb,
    run: async (context, ...args) => {
      const { callOperation } = await import('../api/operation-call.ts')
      const given = { ...toFields(context, usage, args, fields), ...values }
      const answer = await callOperation(context, operation, given)
      const { options } = context
      const id = args[0]!
      if (verb.deletes) return printDone(`Deleted ${id}`, { deleted: id }, options)
      const parts = Object.values(answer)
      const value = (parts.length === 1 ? parts[0] : answer) as Value<Answer<Name>> &
        object
      if (done) printDone(done(value, id), value, options)
      else printObject(value, options)
    },
  })

function toFields(
  { botId, options }: Context<{ since?: string }>,
  usage: string,
  args: string[],
  fields: Record<string, string>,
): Record<string, unknown> {
  // Those of every verb are no fields, also if an operation has such a field.
  const { server, url, token, workspace, json, limit, yes, since, ...own } = options
  const names = [...usage.matchAll(/[<[]([\w-]+)/g)].map(([, name]) => name!)
  const given = {
    ...own,
    bot: botId,
    ...(since !== undefined && { since: parseSince('--since', since) }),
    ...Object.fromEntries(names.map((name, i) => [name, args[i]])),
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [fields[name] ?? name, value]),
  )
}
