import { contentOf, openFiles } from '../../core/files/files.ts'
import { PageError } from '../page-error.ts'
import type { Visit } from '../visit.ts'
import { ownCall } from './own-call.ts'
import { isPicture } from '../parts/call-files.tsx'

/** Serves a file's bytes to its owner, as an image or a download. Untrusted, so not executable. */
export async function showFile(visit: Visit<'call' | 'place'>): Promise<void> {
  const { ctx, koa, params } = visit
  const row = await ownCall(visit)
  const file = openFiles(ctx, row).find(({ place }) => place === params.place)
  const bytes = file && (await contentOf(ctx, row, file))
  if (file === undefined || bytes === undefined)
    throw new PageError(404, 'No such file', 'This call has no such file, or it has ended: its files are deleted then.')
  koa.set('Content-Security-Policy', "default-src 'none'; sandbox")
  const how = isPicture(file) ? 'inline' : 'attachment'
  koa.set('Content-Disposition', `${how}; filename*=UTF-8''${encodeURIComponent(file.name).replaceAll(/['()*]/g, '_')}`)
  koa.type = isPicture(file) ? file.type : 'application/octet-stream'
  koa.body = bytes
}
