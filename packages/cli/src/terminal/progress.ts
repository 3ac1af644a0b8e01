// Progress of long commands: one changing line on a terminal, otherwise a line every five seconds.

const everyMs = { terminal: 100, elsewhere: 5_000 }

/** Writes to standard error; standard output is for results. */
export function openProgress() {
  const { isTTY } = process.stderr
  let shown = false
  let next = Date.now() + (isTTY ? 0 : everyMs.elsewhere)
  const show = (text: string) => {
    if (Date.now() < next) return
    next = Date.now() + (isTTY ? everyMs.terminal : everyMs.elsewhere)
    process.stderr.write(isTTY ? `\r\x1b[K${text} …` : `${text} …\n`)
    shown = true
  }
  return {
    show,
    /** Returns a callback that adds up counts and shows the sum. */
    adding(format: (part: string, sum: number) => string) {
      let sum = 0
      return (part: string, count: number) => {
        sum += count
        show(format(part, sum))
      }
    },
    end: () => void (isTTY && shown && process.stderr.write('\r\x1b[K')),
  }
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

export function formatSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power ? 1 : 0)} ${units[power]}`
}
