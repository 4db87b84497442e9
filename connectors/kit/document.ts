import { pageOf } from './page.ts'
import type { Page } from './page.ts'
import { sawPage } from './watching.ts'

/** Parses an HTML page and reports it to the watcher. Throws `UnknownShape` above a limit. */
export function openedPage(source: string): Page {
  const page = pageOf(source)
  sawPage(page)
  return page
}
