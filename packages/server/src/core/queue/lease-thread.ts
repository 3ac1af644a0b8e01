// Worker thread that keeps the lease (lease.ts) of one server.
import { parentPort, workerData } from 'node:worker_threads'
import { Lease, type LeaseOptions } from './lease.ts'

const lease = new Lease(workerData as LeaseOptions, (news) =>
  parentPort?.postMessage(news),
)
parentPort?.on('message', (message: 'pong' | 'stop') => {
  if (message === 'pong') lease.pong()
  else void lease.stop().finally(() => process.exit(0))
})
lease.start()
