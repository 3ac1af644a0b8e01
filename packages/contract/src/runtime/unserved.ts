// Known by name and place, and answered with 501. To serve one, move it into the file of its resource and give it a shape.
import { unserved } from '../operation.ts'

export const runtimeUnserved = {
  initializeIncomingMessage: unserved('POST', '/v1/chat/initialize-incoming-message'),
  importMessages: unserved('POST', '/v1/chat/messages/import-messages'),
  listTagValues: unserved('GET', '/v1/chat/tags/{key}/values'),
  trackAnalytics: unserved('POST', '/v1/chat/analytics'),
  captureObservation: unserved('POST', '/v1/chat/observations'),
}
