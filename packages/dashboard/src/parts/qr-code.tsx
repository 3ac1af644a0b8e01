// A QR code as an image of vectors. No other server sees the text.
import qrcode from 'qrcode-generator'
import { useMemo } from 'react'

/** Modules of white around the code, which readers need. */
const margin = 4

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      width={220}
      height={220}
      viewBox={`0 0 ${size} ${size}`}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

function draw(text: string) {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const numbers = Array.from({ length: count }, (_, i) => i)
  const path = numbers
    .flatMap((row) =>
      numbers.filter((column) => code.isDark(row, column)).map((column) => [row, column]),
    )
    .map(([row, column]) => `M${column! + margin} ${row! + margin}h1v1h-1z`)
    .join('')
  return { size: count + 2 * margin, path }
}
