import { ask } from './host.ts'

type Options = Readonly<Record<string, unknown>>

/** Formats through the host, which has `Intl`; QuickJS has none. */
class Format {
  readonly #made: Options

  constructor(kind: string, locales?: string | readonly string[], options: Options = {}) {
    this.#made = { kind, locales: locales ?? 'en', options }
    this.resolvedOptions()
  }

  resolvedOptions(): unknown {
    return this.ask('resolvedOptions')
  }

  protected ask(method: string, value?: number | string): unknown {
    return ask('intl', { ...this.#made, method, value })
  }
}

class NumberFormat extends Format {
  constructor(locales?: string | readonly string[], options?: Options) {
    super('NumberFormat', locales, options)
  }

  format(value: number | string): unknown {
    return this.ask('format', Number(value))
  }

  formatToParts(value: number | string): unknown {
    return this.ask('formatToParts', Number(value))
  }
}

class DateTimeFormat extends Format {
  constructor(locales?: string | readonly string[], options?: Options) {
    super('DateTimeFormat', locales, { timeZone: 'UTC', ...options })
  }

  format(moment: number | Date = Date.now()): unknown {
    return this.ask('format', Number(moment))
  }

  formatToParts(moment: number | Date = Date.now()): unknown {
    return this.ask('formatToParts', Number(moment))
  }
}

export const Intl = { NumberFormat, DateTimeFormat }
