import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'

/** Kinds of patterns that the server knows; `custom` has its own `pattern`. */
export const redactionKinds = ['email', 'phone', 'card', 'iban', 'custom'] as const
export type RedactionKind = (typeof redactionKinds)[number]

/** Places where the server replaces matches, before they get there. */
export const redactionPlaces = ['storage', 'logs', 'models'] as const
export type RedactionPlace = (typeof redactionPlaces)[number]

/** @component */
export const RedactionRule = closed({
  kind: T.Enum([...redactionKinds]),
  /** Of a custom pattern: a regular expression (RE2: without lookaround and backreferences). */
  pattern: T.Optional(T.String({ minLength: 1, maxLength: 500 })),
  /** Text in place of a match, by default the name of the kind, as in `[card]`. */
  replacement: T.Optional(T.String({ maxLength: 100 })),
  where: T.Array(T.Enum([...redactionPlaces]), {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
  }),
})
export type RedactionRule = Static<typeof RedactionRule>

/** Patterns to redact, in the order of their precedence. @component */
export const RedactionRules = closed({ rules: T.Array(RedactionRule, { maxItems: 20 }) })
export type RedactionRules = Static<typeof RedactionRules>

/** @component */
export const Redaction = closed({
  /** Set for this bot. */
  rules: T.Array(RedactionRule),
  /** Set by the operator for all bots; they apply first. */
  installation: T.Array(RedactionRule),
})
export type Redaction = Static<typeof Redaction>

/** @component */
export const RedactionMatch = closed({
  kind: T.Enum([...redactionKinds]),
  text: T.String(),
  /** Offset in UTF-16 code units. */
  offset: T.Integer({ minimum: 0 }),
})
export type RedactionMatch = Static<typeof RedactionMatch>
