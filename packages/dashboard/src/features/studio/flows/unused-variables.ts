// Variables that nothing in the document names any more. A variable that code might read in another way
// counts as used, also one that a text only mentions.
import { toPointer } from '../draft/edits.ts'
import { findFlow, isObject, type Json, listFlows, toObject } from './bot-document.ts'

const sharedScopes = {
  conversation: 'conversation',
  user: 'user',
  bot: 'bot',
  configuration: 'env',
}

/** Returns the pointers of the declarations. */
export function findUnused(document: Json): string[] {
  const shared = toObject(document.variables)
  const { variables: _declared, ...rest } = document
  const isUsed = findUses(rest)
  return [
    ...Object.entries(sharedScopes).flatMap(([scope, word]) =>
      Object.keys(toObject(shared[scope]))
        .filter((name) => !isUsed(word, name))
        .map((name) => toPointer('variables', scope, name)),
    ),
    ...listFlows(document).flatMap((flow) => findUnusedInFlow(document, flow)),
  ]
}

function findUnusedInFlow(document: Json, flow: string): string[] {
  const { variables, ...rest } = findFlow(document, flow)
  const names = Object.keys(toObject(variables))
  if (names.length === 0) return []
  // Hooks and actions run inside of any flow.
  const isUsed = findUses([rest, document.hooks, document.actions, document.triggers])
  return names
    .filter((name) => !isUsed('workflow', name))
    .map((name) => toPointer('flows', flow, 'variables', name))
}

const scopes = ['workflow', 'conversation', 'user', 'bot', 'env']
/** Fields with expressions or code, which may name a whole scope. */
const expressions = ['when', 'validate', 'code', 'cron']

/** Returns a function that finds whether a variable of the scope may be used in a part of a document. */
function findUses(part: unknown): (scope: string, name: string) => boolean {
  const used = new Set<string>()
  const note = (code: string, isCode: boolean) => {
    for (const [path] of code.matchAll(
      /\b(?:workflow|conversation|user|bot|env)\??\.\w+/g,
    ))
      used.add(path.replace('?', ''))
    // `user['name']`, `const { name } = user`: any of its variables.
    if (!isCode) return
    for (const [scope] of code.matchAll(
      /\b(?:workflow|conversation|user|bot|env)\b(?!\??\.\w)/g,
    ))
      used.add(scope)
  }
  const visit = (value: unknown, name: string) => {
    if (typeof value === 'string') {
      note(value, expressions.includes(name))
      for (const [, code = ''] of value.matchAll(/\{\{([\s\S]*?)\}\}/g)) note(code, true)
    } else if (Array.isArray(value)) for (const each of value) visit(each, name)
    else if (isObject(value)) {
      // Code in a file that the page does not have.
      if (typeof value.file === 'string' && name === 'code')
        for (const each of scopes) used.add(each)
      for (const [inside, each] of Object.entries(value)) visit(each, inside)
    }
  }
  visit(part, '')
  return (scope, name) => used.has(scope) || used.has(`${scope}.${name}`)
}
