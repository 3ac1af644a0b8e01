// Text styles of OpenDocument (1.3, part 3, 20): raised, lowered and struck text.
import type { TextStyle } from '../text/text-marks.ts'

/** Converts `text-properties`. A position is `super`, `sub` or a percentage, followed by the size. */
export function toTextStyle(attributes: Record<string, string>): TextStyle {
  const position = attributes['text-position'] ?? ''
  return {
    isRaised: /^(?:super|[1-9])/.test(position),
    isLowered: /^(?:sub|-)/.test(position),
    isStruck: (attributes['text-line-through-style'] ?? 'none') !== 'none',
  }
}
