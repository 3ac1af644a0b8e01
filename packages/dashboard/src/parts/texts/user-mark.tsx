// A disc in the colour of a user: it distinguishes visitors without a name.
import type { CSSProperties } from 'react'
import classes from './user-mark.module.css'

/** Returns a hue in degrees, the same for an id everywhere. */
function toHue(id: string): number {
  let sum = 7
  for (const letter of id) sum = (sum * 31 + letter.codePointAt(0)!) % 3_600_017
  return sum % 360
}

export function UserMark({
  user: { id, name },
}: {
  user: { id: string; name?: string }
}) {
  const [first = ''] = new Intl.Segmenter().segment(name?.trim() ?? '')
  const label = first ? first.segment.toUpperCase() : id.slice(-2).toUpperCase()
  return (
    <span
      className={classes.mark}
      style={{ '--hue': toHue(id) } as CSSProperties}
      aria-hidden="true"
    >
      {label}
    </span>
  )
}
