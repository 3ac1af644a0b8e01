// Plain words for names that programs use.
import { texts } from '../../texts/texts.ts'

const { names } = texts.trace

/** Returns `order_placed`, `orderPlaced` or `shop:order-placed` as a person would write it. */
export function toPlainWords(name: string): string {
  if (Object.hasOwn(names, name)) return names[name]!
  // Names of programs contain no spaces and quotes: this is a text.
  if (/[\s“”"']/.test(name)) return name
  const words = name
    .replaceAll(
      /(?<=[\p{Ll}\d])\p{Lu}(?=\p{Ll})/gu,
      (letter) => ` ${letter.toLowerCase()}`,
    )
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/:(?=\S)/g, ': ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
