// The text of a cell in SpreadsheetML (ECMA-376, 18.4): runs with their styles, without the readings
// (`rPh`) of Japanese texts.
import { marked, type TextStyle } from '../text/text-marks.ts'

export class RichText {
  /** With marks. */
  content = ''
  #style: TextStyle = {}
  #isInText = false
  #isReading = false

  open(tag: string, { val }: Record<string, string>): void {
    if (tag === 't' || tag === 'v') this.#isInText = true
    else if (tag === 'rPh') this.#isReading = true
    else if (tag === 'r') this.#style = {}
    else if (tag === 'strike') this.#style.isStruck = isOn(val)
    else if (tag === 'vertAlign') this.#style = { ...this.#style, ...toPosition(val) }
  }

  text(text: string): void {
    if (this.#isInText && !this.#isReading) this.content += marked(text, this.#style)
  }

  close(tag: string): void {
    if (tag === 't' || tag === 'v') this.#isInText = false
    else if (tag === 'rPh') this.#isReading = false
    else if (tag === 'r') this.#style = {}
  }
}

export const isOn = (val: string | undefined) =>
  val === undefined || !/^(?:0|false|off)$/i.test(val)

const toPosition = (val: string | undefined) => ({
  isRaised: val === 'superscript',
  isLowered: val === 'subscript',
})
