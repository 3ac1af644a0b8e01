// Measures the first turn of a bot without a running process.
import type { OpenChatServer } from './chat.ts'
import { median, printTable, progress, ratio, shuffled, spread } from './report.ts'

export async function measureColdStart(places: OpenChatServer[], rounds: number) {
  progress('cold starts')
  const times = new Map<OpenChatServer, number[]>(places.map((place) => [place, []]))
  for (let round = 0; round < rounds; round++) {
    for (const place of shuffled(places)) {
      const talk = await place.openTalk()
      await place.coolBot()
      const from = performance.now()
      await talk.turn('Are you awake?')
      times.get(place)!.push(performance.now() - from)
      talk.close()
    }
  }
  const base = median(times.get(places[0]!)!)
  printTable(
    'First turn of a bot without a running process',
    ['', 'ms, median (range)', `relative to ${places[0]!.name}`],
    places.map((place) => [place.name, spread(times.get(place)!), ratio(median(times.get(place)!), base)]),
  )
}
