// Known by name and place, and answered with 501. To serve one, move it into the file of its resource and give it a shape.
import { unserved } from '../operation.ts'

export const filesUnserved = {
  searchFiles: unserved('GET', '/v1/files/search'),
  listFilePassages: unserved('GET', '/v1/files/{id}/passages'),
  setFilePassages: unserved('PUT', '/v1/files/{id}/passages'),
  createKnowledgeBase: unserved('POST', '/v1/files/knowledge-bases'),
  listKnowledgeBases: unserved('GET', '/v1/files/knowledge-bases'),
  deleteKnowledgeBase: unserved('DELETE', '/v1/files/knowledge-bases/{id}'),
  updateKnowledgeBase: unserved('PUT', '/v1/files/knowledge-bases/{id}'),
}
