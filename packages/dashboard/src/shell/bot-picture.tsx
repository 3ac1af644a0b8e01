// The picture of a bot: the first letter of its name, in a colour of the theme that stays the same.
const colours = ['#1f5c4a', '#1b5f85', '#7a4a12', '#6a3f7d', '#8a3324', '#4b5a1e']

const letters = new Intl.Segmenter('en')

export function BotPicture({ name }: { name: string }) {
  const { segment = '?' } = [...letters.segment(name.trim().slice(0, 20))][0] ?? {}
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return (
    <span
      className="bot-picture"
      style={{ background: colours[sum % colours.length] }}
      aria-hidden="true"
    >
      {segment.toUpperCase()}
    </span>
  )
}
