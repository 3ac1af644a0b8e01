// Texts and conditions of Botpress 12: `temp`, `session`, `user` and `bot` are objects of variables.
import type { Assembly } from '../assembly.ts'
import { findForeign, isExpression, knowsNames } from '../expressions.ts'
import { splitText, toTemplate } from '../pieces.ts'

const reference =
  /(?<![\w$.])(?:(?:event\.state\.)?(temp|session|user|bot))(?:\.([A-Za-z_$][\w$]*)|\[(['"])([^'"\]]{1,200})\3\])/g
const slot =
  /(?<![\w$.])(?:event\.state\.)?session\.slots(?:\.([A-Za-z_$][\w$]*)|\[(['"])([^'"\]]{1,200})\2\])(?:\.(?:value|source))?/g

export class BotpressTexts {
  readonly #bot: Assembly

  constructor(bot: Assembly) {
    this.#bot = bot
  }

  variable(scope: string, name: string): string {
    const isOwn = scope === 'user' || scope === 'bot'
    return this.#bot.variables.declare(`${scope}.${name}`, name, isOwn ? { scope } : {})
  }

  slot(name: string): string {
    return this.#bot.variables.declare(`slot.${name}`, name)
  }

  /** Replaces variables in JavaScript. */
  toCode(code: string): string {
    return code
      .replace(slot, (_all, plain?: string, _quote?: string, quoted?: string) =>
        this.slot(plain ?? quoted ?? ''),
      )
      .replace(
        reference,
        (_all, scope: string, plain?: string, _quote?: string, quoted?: string) =>
          this.variable(scope, plain ?? quoted ?? ''),
      )
      .replace(/\bevent\.payload\.text\b/g, 'event.preview')
  }

  /** Returns null for a condition that cannot run here. */
  condition(text: string): string | null {
    const js = this.toCode(text.trim())
    return isExpression(js) && knowsNames(js) && findForeign(js) === null ? js : null
  }

  template(text: string): string {
    return toTemplate(
      splitText(text, /\{\{\{?\s*([^{}]{1,500}?)\s*\}?\}\}/g, ([, name = '']) =>
        this.condition(name),
      ),
    )
  }
}
