// Alternative texts of pictures, shapes and charts in documents and slides.
import { oneLine } from '../blocks.ts'

/** Programs store the file's name for a picture without a description. */
const fileName = /^\S.{0,250}\.(?:png|jpe?g|gif|bmp|tiff?|webp|svg|emf|wmf)$/i

/** Returns the description of an element `docPr` or `cNvPr`, empty for a hidden or undescribed object. */
export function descriptionIn({ descr, title, hidden }: Record<string, string>): string {
  if (/^(?:1|true|on)$/.test(hidden ?? '')) return ''
  const text = oneLine(descr || title || '')
  return fileName.test(text) ? '' : text
}
