// The files of a drop, with those in dropped folders. Their `webkitRelativePath` begins with the folder.

/** A folder of a bot's sources with more is the wrong one. */
const usualEntries = 5_000

/** Must begin in the event, because entries are empty afterwards. */
export async function filesOfDrop(
  { items }: DataTransfer,
  maxEntries = usualEntries,
): Promise<File[]> {
  const dropped = [...items].map((item) => {
    const entry = item.webkitGetAsEntry()
    // A file that a program put there has no entry.
    return entry
      ? filesOfEntry(entry, '', maxEntries)
      : [item.getAsFile()].filter((file) => file !== null)
  })
  return (await Promise.all(dropped)).flat()
}

async function filesOfEntry(
  entry: FileSystemEntry,
  prefix: string,
  maxEntries: number,
): Promise<File[]> {
  const path = prefix + entry.name
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    Object.defineProperty(file, 'webkitRelativePath', { value: path })
    return [file]
  }
  if (entry.name === 'node_modules' || entry.name === '.git') return []
  const inside = await readEntries(
    (entry as FileSystemDirectoryEntry).createReader(),
    maxEntries,
  )
  const all = await Promise.all(
    inside.map((each) => filesOfEntry(each, `${path}/`, maxEntries)),
  )
  return all.flat()
}

/** The browser returns the entries in portions. */
async function readEntries(
  reader: FileSystemDirectoryReader,
  maxEntries: number,
): Promise<FileSystemEntry[]> {
  const found: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    found.push(...some)
    if (some.length === 0 || found.length > maxEntries) return found
  }
}
