new EventSource('/live-reload').addEventListener('message', () => location.reload());
