// One message, many listeners: how soon the last of them has heard it. And what a listener costs while nothing is said.
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenPlace } from './chat.ts'
import { residentKb } from './processes.ts'
import { digits, median, progress, ratio, shuffled, spread, table } from './report.ts'

interface Room {
  place: OpenPlace
  /** Says something, and resolves when everybody heard it. */
  say(): Promise<void>
  close(): void
}

export async function measureFanOut(
  places: OpenPlace[],
  plan: { listeners: number[]; rounds: number; messages: number },
) {
  const rows: (string | number)[][] = []
  for (const listeners of plan.listeners) {
    progress(`fan-out to ${listeners}`)
    const rooms = await Promise.all(places.map((place) => openRoom(place, listeners)))
    const times = new Map<Room, number[]>(rooms.map((room) => [room, []]))
    for (let round = 0; round < plan.rounds; round++)
      for (const room of shuffled(rooms)) times.get(room)!.push(...(await sayTimes(room, plan.messages)))
    const base = median(times.get(rooms[0]!)!)
    for (const room of rooms) {
      const middle = median(times.get(room)!)
      rows.push([
        room.place.name,
        listeners.toLocaleString('en'),
        spread(times.get(room)!),
        ratio(middle, base),
        digits((listeners * 1000) / middle),
      ])
      room.close()
    }
  }
  table(
    'Fan-out: from the post until the last listener heard it',
    ['', 'listeners', 'ms, median (range)', `of the ${places[0]!.name}`, 'deliveries/s'],
    rows,
  )
}

async function openRoom(place: OpenPlace, listeners: number): Promise<Room> {
  const conversation = await place.openConversation()
  let missing = 0
  let allHeard = () => {}
  const streams: { close(): void }[] = []
  for (let opened = 0; opened < listeners; opened++) {
    streams.push(
      await conversation.listen((frame) => {
        if (frame.includes('"isBot":true') && --missing === 0) allHeard()
      }),
    )
  }
  await pause(100) // a server may hold back what comes right after a stream's beginning
  return {
    place,
    async say() {
      missing = listeners
      const heard = new Promise<void>((resolve) => {
        allHeard = resolve
      })
      await Promise.all([conversation.postAsBot('To all of you'), heard])
    },
    close: () => {
      for (const stream of streams) stream.close()
    },
  }
}

async function sayTimes(room: Room, messages: number): Promise<number[]> {
  const times: number[] = []
  for (let message = 0; message < messages; message++) {
    const from = performance.now()
    await room.say()
    times.push(performance.now() - from)
  }
  return times
}

/** Resident memory of the server's process, before and after. Not interleaved: memory that was grown does not shrink. */
export async function measureIdle(places: OpenPlace[], listeners: number) {
  progress(`${listeners} idle listeners`)
  const rows: (string | number)[][] = []
  for (const place of places) {
    const conversation = await place.openConversation()
    const warm = await Promise.all(Array.from({ length: 50 }, () => conversation.listen(() => {})))
    await pause(500)
    const before = residentKb(place.pids[0]!)
    const streams = [...warm]
    while (streams.length < listeners + warm.length)
      streams.push(...(await Promise.all(Array.from({ length: 50 }, () => conversation.listen(() => {})))))
    await pause(1000)
    rows.push([
      place.name,
      listeners.toLocaleString('en'),
      digits((residentKb(place.pids[0]!) - before) / listeners),
    ])
    for (const stream of streams) stream.close()
  }
  table('An idle listener', ['', 'listeners', 'KB of resident memory each'], rows)
}
