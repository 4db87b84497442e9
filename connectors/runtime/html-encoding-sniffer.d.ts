declare module 'html-encoding-sniffer' {
  export default function sniff(
    start: Uint8Array,
    options: { readonly defaultEncoding: string; readonly maxPrescanBytes: number },
  ): string
}
