/** Cookie jar of a scripted browser. */
export class CookieJar extends Map<string, string> {
  get header(): string {
    return [...this].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  keep({ headers }: Response): void {
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      this.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
  }
}

/** The value of a hidden field; undefined when the page has no such field. */
export function findHidden(page: string, name: string): string | undefined {
  return page.match(new RegExp(`<input[^>]*name="${name}"[^>]*>`))?.[0].match(/value="([^"]*)"/)?.[1]
}

/** Like findHidden(), but throws if the page has no such field. */
export function hidden(page: string, name: string): string {
  const value = findHidden(page, name)
  if (value === undefined) throw new Error(`the page has no field ${name}`)
  return value
}
