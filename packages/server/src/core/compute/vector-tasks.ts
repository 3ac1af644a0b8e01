// Groups vectors of length 1 around centroids, by k-means in two levels: flat k-means would compare each
// vector with all centroids in every round, which takes minutes. Shared memory passes to a thread without a
// copy.

interface Vectors {
  /** One vector after the other, in a SharedArrayBuffer. */
  values: Float32Array
  dimensions: number
}

const rounds = 8

/** Returns at most `count` centroids of length 1: groups without vectors have none. */
export function clusterVectors(vectors: Vectors & { count: number }): Float32Array {
  const { values, dimensions, count } = vectors
  const all = Int32Array.from({ length: values.length / dimensions }, (_, at) => at)
  const groups = toGroups(vectors, all, Math.round(Math.sqrt(count)))
  const centroids = groups.flatMap(({ members }) => {
    const share = Math.round((count * members.length) / all.length)
    return toGroups(vectors, members, Math.max(1, share))
  })
  const found = new Float32Array(Math.min(count, centroids.length) * dimensions)
  for (const [at, { centroid }] of centroids.slice(0, count).entries())
    found.set(centroid, at * dimensions)
  return found
}

/** So many centroids are compared exactly: those with the signs nearest to the vector's. */
const compared = 48

/** Returns the number of the nearest centroid of each vector. */
export function findNearest({
  values,
  dimensions,
  centroids,
}: Vectors & { centroids: Float32Array }): Int32Array {
  const [codes, codesOfCentroids] = [
    toCodes(values, dimensions),
    toCodes(centroids, dimensions),
  ]
  const nearest = new Int32Array(values.length / dimensions)
  const distances = new Uint32Array(centroids.length / dimensions)
  for (let at = 0; at < nearest.length; at += 1) {
    measureDistances(codes, codesOfCentroids, at, distances)
    const limit = findLimit(distances, dimensions)
    const isClose = (number: number) => distances[number]! <= limit
    nearest[at] = findNearestCentroid(
      centroids,
      values,
      at * dimensions,
      dimensions,
      isClose,
    )
  }
  return nearest
}

/** Returns the signs of all dimensions, 32 in a number; each vector begins a new one. */
function toCodes(values: Float32Array, dimensions: number): Int32Array {
  const words = Math.ceil(dimensions / 32)
  const codes = new Int32Array((values.length / dimensions) * words)
  for (let at = 0; at < values.length; at += 1) {
    const [vector, dimension] = [Math.floor(at / dimensions), at % dimensions]
    if (values[at]! > 0)
      codes[vector * words + (dimension >> 5)]! |= 1 << (dimension & 31)
  }
  return codes
}

function measureDistances(
  codes: Int32Array,
  codesOfCentroids: Int32Array,
  at: number,
  distances: Uint32Array,
) {
  const words = codesOfCentroids.length / distances.length
  for (let number = 0; number < distances.length; number += 1) {
    let distance = 0
    for (let word = 0; word < words; word += 1)
      distance += countBits(
        codes[at * words + word]! ^ codesOfCentroids[number * words + word]!,
      )
    distances[number] = distance
  }
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Returns the distance within which there are enough centroids. */
function findLimit(distances: Uint32Array, dimensions: number): number {
  const counts = new Uint32Array(dimensions + 1)
  for (const distance of distances) counts[distance]! += 1
  let sum = 0
  return counts.findIndex((count) => {
    sum += count
    return sum >= Math.min(compared, distances.length)
  })
}

interface Group {
  centroid: Float32Array
  /** Numbers of vectors. */
  members: Int32Array
}

/** Begins with vectors at equal distances in the list, so that the result is always the same. */
function toGroups(
  { values, dimensions }: Vectors,
  members: Int32Array,
  count: number,
): Group[] {
  const size = Math.min(count, members.length)
  const centroids = new Float32Array(size * dimensions)
  for (let at = 0; at < size; at += 1) {
    const first = members[Math.floor((at * members.length) / size)]! * dimensions
    centroids.set(values.subarray(first, first + dimensions), at * dimensions)
  }
  const owners = new Int32Array(members.length)
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, member] of members.entries())
      owners[at] = findNearestCentroid(centroids, values, member * dimensions, dimensions)
    moveCentroids({ values, dimensions }, centroids, members, owners)
  }
  return Array.from({ length: size }, (_, number) => ({
    centroid: centroids.subarray(number * dimensions, (number + 1) * dimensions),
    members: members.filter((_, at) => owners[at] === number),
  })).filter((group) => group.members.length > 0)
}

/** Moves each centroid to the mean of its vectors; one without vectors stays. */
function moveCentroids(
  { values, dimensions }: Vectors,
  centroids: Float32Array,
  members: Int32Array,
  owners: Int32Array,
) {
  const sums = new Float32Array(centroids.length)
  for (const [at, member] of members.entries()) {
    const [to, from] = [owners[at]! * dimensions, member * dimensions]
    for (let i = 0; i < dimensions; i += 1) sums[to + i]! += values[from + i]!
  }
  for (let at = 0; at < sums.length; at += dimensions) {
    const length = Math.sqrt(product(sums, at, sums, at, dimensions))
    if (length > 0)
      for (let i = at; i < at + dimensions; i += 1) centroids[i] = sums[i]! / length
  }
}

function findNearestCentroid(
  centroids: Float32Array,
  values: Float32Array,
  at: number,
  dimensions: number,
  isCompared = (_: number) => true,
): number {
  let nearest = 0
  let best = Number.NEGATIVE_INFINITY
  for (let from = 0; from < centroids.length; from += dimensions) {
    if (!isCompared(from / dimensions)) continue
    const similarity = product(centroids, from, values, at, dimensions)
    if (similarity > best) {
      best = similarity
      nearest = from
    }
  }
  return nearest / dimensions
}

/** Four sums at a time: the processor adds them in parallel. */
function product(
  a: Float32Array,
  atA: number,
  b: Float32Array,
  atB: number,
  length: number,
) {
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  let i = 0
  for (; i + 3 < length; i += 4) {
    s0 += a[atA + i]! * b[atB + i]!
    s1 += a[atA + i + 1]! * b[atB + i + 1]!
    s2 += a[atA + i + 2]! * b[atB + i + 2]!
    s3 += a[atA + i + 3]! * b[atB + i + 3]!
  }
  for (; i < length; i += 1) s0 += a[atA + i]! * b[atB + i]!
  return s0 + s1 + s2 + s3
}
