// The variables that a document declares: what they are to begin with, and what they may become.
import type { Flow, FlowDocument, Variable } from './document.ts'
import type { Json } from './platform.ts'
import type { ScopeName } from './realm.ts'

type Declared = Record<string, Variable> | undefined

/** Values under the declared names: what is there, or the default, or null. */
export function withDefaults(declared: Declared, values: Json = {}): Json {
  const names = Object.entries(declared ?? {})
  return {
    ...Object.fromEntries(names.map(([name, variable]) => [name, structuredClone(variable.default ?? null)])),
    ...values,
  }
}

export const variablesOf = ({ variables, inputs, outputs }: Flow): Record<string, Variable> => ({
  ...outputs,
  ...variables,
  ...inputs,
})

/** Of a scope, as a flow sees it. Undefined where anything goes. */
export function declaredIn({ variables }: FlowDocument, flow: Flow | undefined, scope: ScopeName): Declared {
  if (scope === 'workflow') return flow ? variablesOf(flow) : {}
  if (scope === 'env') return variables?.configuration ?? {}
  if (scope === 'session' || scope === 'turn') return undefined
  return variables?.[scope] ?? {}
}

/** Why a variable may not have this value, or null. */
export function refusal(declared: Declared, scope: ScopeName, name: string, value: unknown): string | null {
  if (!declared) return null
  if (!Object.hasOwn(declared, name)) return `The document declares no variable ${scope}.${name}`
  const { type } = declared[name]!
  return value === null || value === undefined || isOf(type, value)
    ? null
    : `${scope}.${name} is of the type ${type}, and ${shown(value)} is not`
}

export function isOf(type: Variable['type'], value: unknown): boolean {
  if (type === 'any') return true
  if (type === 'array') return Array.isArray(value)
  if (type === 'date') return typeof value === 'string' && !Number.isNaN(Date.parse(value))
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

const shown = (value: unknown) => (JSON.stringify(value) ?? String(value)).slice(0, 100)
