// Declared variables of the document for variables of the source.
import type { Variable } from '../document/document.ts'
import { hasType } from '../document/variables.ts'
import { UniqueNames } from './names.ts'

type Scope = 'conversation' | 'user' | 'bot'

interface Declaration {
  scope?: Scope
  type?: Variable['type']
  /** Left out if it does not have the type. */
  value?: unknown
  description?: string
}

export class ImportedVariables {
  readonly #paths = new Map<string, string>()
  readonly #names = new Map<string, UniqueNames>()
  readonly #declared = new Map<string, Map<string, Variable & { secret?: boolean }>>()

  /** Returns the path, such as `conversation.lead_score`. The key is that of the source. */
  declare(key: string, label: string, declaration: Declaration = {}): string {
    const { scope = 'conversation', type = 'any', value, description } = declaration
    const fits = value !== undefined && value !== null && hasType(type, value)
    return this.#add(key, scope, label, {
      type,
      ...(fits && { default: value }),
      ...(description && { description: description.slice(0, 2000) }),
    })
  }

  find(key: string): string | undefined {
    return this.#paths.get(key)
  }

  /** Returns the path of the variable, which it declares if necessary. */
  need(key: string, label = key): string {
    return this.#paths.get(key) ?? this.declare(key, label)
  }

  /** Declares a value of the bot's configuration. Returns its path, `env.name`. */
  configuration(label: string, { secret = false, value = '' } = {}): string {
    const key = `env:${label}`
    const variable: Variable & { secret?: boolean } = {
      type: 'string',
      ...(secret ? { secret } : value !== '' && { default: value }),
    }
    return this.#paths.get(key) ?? this.#add(key, 'configuration', label, variable)
  }

  /** Undefined without variables. */
  toDocument(): Record<string, Record<string, Variable>> | undefined {
    if (this.#declared.size === 0) return undefined
    return Object.fromEntries(
      [...this.#declared].map(([scope, variables]) => [
        scope,
        Object.fromEntries(variables),
      ]),
    )
  }

  #add(
    key: string,
    scope: string,
    label: string,
    variable: Variable & { secret?: boolean },
  ): string {
    const known = this.#paths.get(key)
    if (known) return known
    const names = this.#names.get(scope) ?? new UniqueNames('_')
    this.#names.set(scope, names)
    const name = names.create(label, 'value')
    const declared = this.#declared.get(scope) ?? new Map()
    this.#declared.set(scope, declared.set(name, variable))
    const path = `${scope === 'configuration' ? 'env' : scope}.${name}`
    this.#paths.set(key, path)
    return path
  }
}
