// The shop site as a browser's scripts would use it.
