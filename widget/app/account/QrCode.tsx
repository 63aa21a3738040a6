/** A QR code from rows of `0` and `1`. Hidden from screen readers: show its content as text beside it. */
export function QrCode({ rows }: { rows: readonly string[] }) {
  const path = rows.flatMap((row, y) =>
    row.split('').map((cell, x) => (cell === '1' ? `M${x} ${y}h1v1h-1` : '')),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} aria-hidden="true">
      <path d={path.join('')} />
    </svg>
  );
}
