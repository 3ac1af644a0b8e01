// The styles of OpenDocument texts (1.3, part 3, 16) as far as they change what a reader sees.
import { readXml } from '../office/office-xml.ts'
import type { TextStyle } from '../text/text-marks.ts'
import { toTextStyle } from './text-styles.ts'

export interface DocumentStyle extends TextStyle {
  isHidden: boolean
  parent: string
}

export interface DocumentStyles {
  /** By name, of texts and paragraphs. */
  texts: Map<string, DocumentStyle>
  /** Formats of numbers by name and level from 1, such as `1` and `a`; none for bullets. */
  lists: Map<string, Map<number, string>>
}

/** Adds the styles of a part, `styles.xml` or `content.xml`, to those that are found already. */
export function addStyles(xml: string, { texts, lists }: DocumentStyles): void {
  let name = ''
  let parent = ''
  let list = new Map<number, string>()
  readXml(xml, {
    open(tag, attributes) {
      if (tag === 'style') {
        name = attributes.name ?? ''
        parent = attributes['parent-style-name'] ?? ''
      } else if (tag === 'text-properties' && name !== '') {
        const isHidden = attributes.display === 'none'
        texts.set(name, { ...toTextStyle(attributes), isHidden, parent })
      } else if (tag === 'list-style') {
        list = new Map()
        lists.set(attributes.name ?? '', list)
      } else if (tag === 'list-level-style-number')
        list.set(Number(attributes.level), attributes['num-format'] ?? '')
    },
    close(tag) {
      if (tag === 'style') name = ''
    },
  })
}
