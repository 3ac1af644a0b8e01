// Characters that look like ASCII ones or are not visible, in texts that people paste.
import { withAsciiDigits } from '../folding.ts'

/** Joins the parts of an emoji. Elsewhere it is invisible. */
const joiner =
  /(?<!\p{Extended_Pictographic})\u200d|\u200d(?!\p{Extended_Pictographic})/gu

/** Removes variation selectors, skin tones, the frames of keycaps and format characters. */
export const withoutInvisible = (text: string) =>
  text
    .replace(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u{1f3fb}-\u{1f3ff}\u20e3]/gu, '')
    .replace(joiner, '')
    .replace(/(?!\u200d)\p{Cf}/gu, '')

/** Replaces full-width forms of ASCII characters. */
const withoutFullWidth = (text: string) =>
  text.replace(/[\uff01-\uff5e]/g, (one) =>
    String.fromCharCode(one.charCodeAt(0) - 0xfee0),
  )

/** Replaces digits, spaces, hyphens, dashes and minus signs of all scripts by ASCII ones. */
export const withAsciiSigns = (text: string) =>
  withAsciiDigits(withoutFullWidth(withoutInvisible(text)))
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
