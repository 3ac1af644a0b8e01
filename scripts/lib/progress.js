// Progress of commands: what happens now, and every 2.5 seconds how long already, also without a terminal.
const repeatMs = 2_500

export const toSeconds = (ms) => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`

/** Each `show` ends the step before; `end` ends the last one. */
export function openProgress(print = (line) => console.log(line)) {
  let timer
  const end = () => clearInterval(timer)
  return {
    end,
    show(text) {
      end()
      const startedAt = performance.now()
      print(`${text} …`)
      timer = setInterval(
        () => print(`${text} … ${Math.round((performance.now() - startedAt) / 1000)} s`),
        repeatMs,
      )
    },
  }
}
